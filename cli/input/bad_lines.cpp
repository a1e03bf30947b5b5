#include "cli/input/bad_lines.h"

#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::cli::input {

BadLines::BadLines(std::uint64_t most, Report report, Report note)
    : most_(most), report_(std::move(report)), note_(std::move(note)) {}

void BadLines::note(const InputPlace& place, std::string_view what) const {
  if (note_) note_(fmt::format("{}:{}: {}", place.name, place.line, what));
}

void BadLines::add(const InputPlace& place, std::string_view what) {
  ++count_;
  const std::string words = fmt::format("{}:{}: {}", place.name, place.line, what);
  if (count_ > most_) throw Error(ErrorCode::kBadInput, words);
  report_(words);
}

}  // namespace chirp::cli::input
