#include "cli/load/import_contents.h"

#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <simdjson.h>

#include "cli/input/byte_stream.h"
#include "cli/input/lines.h"
#include "cli/load/import_row.h"
#include "cli/output.h"
#include "core/error.h"

namespace chirp::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFiles[] = {"users.jsonl",     "posts.jsonl",    "follows.jsonl",
                                  "relations.jsonl", "comments.jsonl", "reactions.jsonl",
                                  "settings.json"};
constexpr std::size_t kContentsMax = std::size_t{64} << 10;

[[noreturn]] void refuse(const fs::path& file, std::string_view what) {
  throw Error(ErrorCode::kBadInput, fmt::format("{}{}", safe(file.string()), safe(what)));
}

[[noreturn]] void refuse_other(const fs::path& file, std::uint64_t there, std::uint64_t named,
                               const char* unit) {
  refuse(file, fmt::format(" has {} {}, but {} says {}. If the copy is not complete, copy the "
                           "export again. If you changed it on purpose, correct the number in {}, "
                           "or remove that file.",
                           there, unit, kExportContents, named, kExportContents));
}

std::uint64_t number_in(const Row& row, const char* key) {
  std::uint64_t number = 0;
  if (row.object()[key].get(number) != simdjson::SUCCESS) {
    throw BadRow{fmt::format("\"{}\" is missing or no number", key)};
  }
  return number;
}

std::uint64_t rows_in(const fs::path& path) {
  input::RawFile file(path.string(), input::RawFile::Kind::kRegular);
  input::TextBuffer buffer;
  buffer.open(file);
  input::Lines lines(buffer);
  std::uint64_t rows = 0;
  while (lines.next()) ++rows;
  return rows;
}

void check_rows(const fs::path& path, const Row& named) {
  const std::uint64_t rows = number_in(named, "rows");
  const std::uint64_t bytes = number_in(named, "bytes");
  const input::RawFile file(path.string(), input::RawFile::Kind::kRegular);
  if (file.size() == bytes) return;
  const std::uint64_t there = rows_in(path);
  if (there != rows) refuse_other(path, there, rows, "rows");
}

// A cut copy has fewer files or shorter ones, so more or longer ones are accepted. Other programs
// leave files in folders, whose names are not numbers.
void check_media(const fs::path& folder, const Row& named) {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unreadable)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::uint64_t size = entry.file_size(unreadable);
    if (unreadable) continue;
    ++files;
    bytes += size;
  }
  if (const std::uint64_t all = number_in(named, "files"); files < all) {
    refuse_other(folder, files, all, "files");
  }
  if (const std::uint64_t all = number_in(named, "bytes"); bytes < all) {
    refuse_other(folder, bytes, all, "bytes");
  }
}

void check_against(const fs::path& from, const Row& contents) {
  if (const std::uint64_t format = number_in(contents, "format"); format != kExportFormat) {
    throw BadRow{
        fmt::format("\"format\" is {}, and this chirp knows {} alone: a newer chirp "
                    "made the export",
                    format, kExportFormat)};
  }
  for (const char* name : kFiles) {
    const Row named = contents.inner(name);
    try {
      check_rows(from / name, named);
    } catch (const BadRow& bad) {
      throw BadRow{fmt::format("\"{}\": {}", name, bad.what)};
    }
  }
  try {
    check_media(from / "media", contents.inner("media"));
  } catch (const BadRow& bad) {
    throw BadRow{fmt::format("\"media\": {}", bad.what)};
  }
}

}  // namespace

bool is_known_complete(const fs::path& from) {
  for (const char* name : kFiles) {
    const input::RawFile there((from / name).string(), input::RawFile::Kind::kRegular);
  }
  const fs::path path = from / kExportContents;
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return false;
  const input::RawFile file(path.string(), input::RawFile::Kind::kRegular);
  try {
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    if (parser.parse(file.look(0, kContentsMax)).get(object) != simdjson::SUCCESS) {
      throw BadRow{"this is not one JSON object"};
    }
    check_against(from, Row(object));
  } catch (const BadRow& bad) {
    refuse(path, ": " + bad.what);
  }
  return true;
}

}  // namespace chirp::cli
