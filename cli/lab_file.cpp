#include "cli/lab_file.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <string_view>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/output.h"
#include "core/error.h"
#include "server/json/json_writer.h"

namespace chirp::cli {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kBytesMax = std::size_t{1} << 20;
constexpr std::size_t kRunsMax = 64;
constexpr std::array<const char*, 9> kFigures{
    "deliveries",   "timelineBytes", "bytesWritten", "writeAmplification", "sourcesARead",
    "entriesARead", "p50Micros",     "p99Micros",    "processorSeconds"};

[[noreturn]] void refuse(const std::string& path, std::string_view why) {
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}: {}. Write it with: chirp lab --json", safe(path), why));
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, "the file can't be read");
  std::string text(kBytesMax + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kBytesMax) refuse(path, "the file is larger than 1 MB");
  return text;
}

// Writes what identifies a run. False if a field is missing.
bool write_name(api::JsonWriter& json, const dom::element& run) {
  std::string_view policy;
  bool hot = false;
  if (run["policy"].get(policy) != simdjson::SUCCESS) return false;
  if (run["hotSet"].get(hot) != simdjson::SUCCESS) return false;
  json.field("policy", policy);
  // The threshold distinguishes runs of hybrid.
  std::uint64_t threshold = 0;
  if (run["threshold"].get(threshold) == simdjson::SUCCESS) json.field("threshold", threshold);
  json.field("hotSet", hot);
  return true;
}

}  // namespace

std::string read_lab_file(const std::string& path) {
  const std::string text = text_of(path);
  dom::parser parser;
  dom::element root;
  if (parser.parse(text).get(root) != simdjson::SUCCESS) refuse(path, "the file is not JSON");
  dom::array runs;
  if (root["runs"].get(runs) != simdjson::SUCCESS || runs.size() == 0 || runs.size() > kRunsMax) {
    refuse(path, "the file has no runs");
  }
  api::JsonWriter json;
  json.key("runs").begin_array();
  for (const dom::element run : runs) {
    json.begin_object();
    if (!write_name(json, run))
      refuse(path, "a run has no policy, or does not say whether it has a hot set");
    for (const char* const name : kFigures) {
      double value = 0;
      if (run[name].get(value) == simdjson::SUCCESS) json.field(name, value);
    }
    json.end_object();
  }
  json.end_array();
  dom::element cheapest;
  if (root["cheapest"].get(cheapest) == simdjson::SUCCESS) {
    json.key("cheapest").begin_object();
    if (!write_name(json, cheapest)) refuse(path, "the cheapest run has no policy");
    json.end_object();
  }
  return json.take();
}

}  // namespace chirp::cli
