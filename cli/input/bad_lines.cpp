#include "cli/input/bad_lines.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::cli::input {

BadLines::BadLines(std::uint64_t most, Report report) : most_(most), report_(std::move(report)) {}

void BadLines::add(const Place& place, std::string_view what) {
  ++count_;
  const std::string words = fmt::format("{}:{}: {}", place.name, place.line, what);
  if (count_ > most_) throw Error(ErrorCode::kBadInput, words);
  report_(words);
}

}  // namespace chirp::cli::input
