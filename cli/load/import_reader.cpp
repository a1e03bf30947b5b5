#include "cli/load/import_reader.h"

#include <string>

#include <fmt/format.h>

#include "cli/load/import_check.h"
#include "cli/output.h"

namespace chirp::cli {

Row ImportReader::parsed(const input::Line& line) {
  simdjson::dom::object object;
  if (line.kind == input::LineKind::kTooLong) throw BadRow{"the line is too long"};
  if (parser_.parse(line.text.data(), line.text.size()).get(object) != simdjson::SUCCESS) {
    throw BadRow{"this is not one JSON object"};
  }
  return Row(object);
}

void ImportReader::fail(const char* name, std::uint64_t line, std::string_view what) const {
  throw Error(ErrorCode::kBadInput,
              fmt::format("{}:{}: {}", safe((from_ / name).string()), line, safe(what)));
}

void ImportReader::store(const ImportedLines& lines, const std::function<void()>& store) {
  const std::uint64_t first = lines.last + 1 - lines.count;
  has_stored_ = true;
  try {
    store();
  } catch (const RefusedRow& refused) {
    fail(lines.file, first + refused.index, refused.what);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kAlreadyExists && error.code() != ErrorCode::kBadInput) throw;
    if (lines.count == 1) fail(lines.file, first, error.what());
    throw Error(ErrorCode::kBadInput,
                fmt::format("{}:{}-{}: {}", safe((from_ / lines.file).string()), first, lines.last,
                            safe(error.what())));
  }
}

}  // namespace chirp::cli
