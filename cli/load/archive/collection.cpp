#include "cli/load/archive/collection.h"

#include <charconv>
#include <string_view>
#include <utility>

namespace chirp::cli::archive {
namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

}  // namespace

Collection::Facts Collection::facts_of(input::ByteStream& stream, input::TextBuffer& buffer) {
  constexpr std::size_t kNone = 0;
  Collection all(stream, buffer, kNone);
  while (all.next()) continue;  // errors are reported when the file is read
  return all.facts_;
}

input::JsonPiece Collection::broken(input::JsonPiece piece, std::string problem) {
  over_ = true;
  piece.problem = std::move(problem);
  return piece;
}

std::optional<input::JsonPiece> Collection::next() {
  if (over_) return std::nullopt;
  while (auto member = members_.next()) {
    input::JsonPiece& value = member->value;
    if (!value.problem.empty()) {
      if (facts_.lists > 0 && member->element == 0) break;  // anything may follow a list
      over_ = true;
      return std::move(value);
    }
    if (member->key == "totalItems") facts_.total = number_in(value.text);
    if (member->key != "orderedItems") continue;
    if (member->element <= 1) ++facts_.lists;
    if (member->element == 0 && value.text != "[]") {
      return broken(std::move(value), "\"orderedItems\" is not an array");
    }
    if (member->element > 0 && facts_.lists == list_) return std::move(value);
  }
  over_ = true;
  if (facts_.lists > 0) return std::nullopt;
  input::JsonPiece nothing;
  nothing.line = 1;
  return broken(std::move(nothing), "there is no \"orderedItems\"");
}

}  // namespace chirp::cli::archive
