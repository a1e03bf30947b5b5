#include "cli/plan/figures.h"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/byte_stream.h"
#include "cli/input/lines.h"
#include "cli/output.h"
#include "core/error.h"

namespace chirp::cli::plan {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kPagesOverHttp = "feed over http";
constexpr std::string_view kPagesAsJson = "json, warm";
constexpr std::string_view kPosts = "posts over http";
constexpr std::string_view kDeliveries = "fanout";

// Avoids divisions by zero.
constexpr double kLeastRate = 1e-6;
constexpr double kMostRate = 1e15;

// A figure without a rate means that nothing was measured.
Rate rate_of(const dom::object& object) {
  Rate rate;
  std::string_view text;
  if (object["name"].get(text) != simdjson::SUCCESS) throw Error(ErrorCode::kBadInput, "no name");
  rate.name = text;
  if (object["policy"].get(text) == simdjson::SUCCESS) rate.policy = text;
  if (object["threads"].get(rate.threads) != simdjson::SUCCESS) rate.threads = 1;
  const auto value = object["rate"];
  if (value.error() == simdjson::SUCCESS &&
      (value.get(rate.rate) != simdjson::SUCCESS || rate.rate < 0)) {
    throw Error(ErrorCode::kBadInput, "the rate is not a number");
  }
  if (rate.rate != 0 && (rate.rate < kLeastRate || rate.rate > kMostRate)) {
    throw Error(ErrorCode::kBadInput, "the rate is too low or too high for a machine");
  }
  return rate;
}

class FigureReader {
 public:
  explicit FigureReader(const std::string& path) : file_(path) {}

  MeasuredFigures read() {
    input::TextBuffer buffer;
    buffer.open(file_);
    input::Lines lines(buffer);
    for (auto line = lines.next(); line; line = lines.next()) {
      try {
        take(parsed(*line));
      } catch (const Error& error) {
        throw Error(ErrorCode::kBadInput,
                    fmt::format("{}:{}: {}. A figure is a line of `chirp bench --json`.",
                                safe(file_.name()), line->number, error.what()));
      }
    }
    if (!figures_.measured.reads) figures_.measured.reads = std::move(as_json_);
    return std::move(figures_);
  }

 private:
  Rate parsed(const input::Line& line) {
    dom::object object;
    if (line.kind != input::LineKind::kWhole ||
        parser_.parse(line.text.data(), line.text.size()).get(object) != simdjson::SUCCESS) {
      throw Error(ErrorCode::kBadInput, "this is not one JSON object");
    }
    return rate_of(object);
  }

  // Ignores pulled pages: they cost more, and a plan assumes delivery.
  void take(Rate rate) {
    MeasuredRates& measured = figures_.measured;
    const bool pulled = rate.policy == "pull";
    std::optional<Rate>* place = nullptr;
    if (rate.name == kPagesOverHttp) place = &measured.reads;
    if (rate.name == kPagesAsJson && !pulled) place = &as_json_;
    if (rate.name == kPosts) place = &measured.posts;
    if (rate.name == kDeliveries) place = &measured.deliveries;
    if (place == nullptr || rate.rate == 0) {
      ++figures_.unused;
    } else if (!*place || rate.rate > (*place)->rate) {
      *place = std::move(rate);
    }
  }

  input::RawFile file_;
  dom::parser parser_;
  std::optional<Rate> as_json_;
  MeasuredFigures figures_;
};

}  // namespace

MeasuredFigures read_figures(const std::string& path) { return FigureReader(path).read(); }

}  // namespace chirp::cli::plan
