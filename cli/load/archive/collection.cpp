#include "cli/load/archive/collection.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace chirp::cli::archive {
namespace {

constexpr std::string_view kItems = "\"orderedItems\"";
constexpr std::string_view kTotal = "\"totalItems\"";

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

Collection::Collection(input::ByteStream& stream, input::TextBuffer& buffer, std::size_t list)
    : buffer_(buffer), list_(list) {
  buffer_.open(stream);
}

Collection::Facts Collection::facts_of(input::ByteStream& stream, input::TextBuffer& buffer) {
  constexpr std::size_t kNone = 0;
  Collection all(stream, buffer, kNone);
  while (all.next()) continue;  // errors are reported when the file is read
  return all.facts_;
}

void Collection::pass(std::size_t size) {
  const std::string_view text = buffer_.unread().substr(0, size);
  line_ += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  buffer_.consume(size);
}

char Collection::peek() {
  for (;;) {
    const std::string_view text = buffer_.unread();
    const auto* const at = std::ranges::find_if_not(text, is_white);
    pass(static_cast<std::size_t>(at - text.begin()));
    if (!buffer_.unread().empty()) return buffer_.unread().front();
    if (buffer_.fill() != input::TextBuffer::Filled::kMore) return 0;
  }
}

std::size_t Collection::measure() {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0;;) {
    const std::string_view text = buffer_.unread();
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (in_string) {
        if (c == '\\') ++at;  // perhaps beyond what is there: the next round goes on behind it
        if (c == '"') in_string = false;
      } else if (c == '"') {
        in_string = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (depth > 0 && (c == '}' || c == ']')) {
        --depth;
      } else if (depth == 0 && (c == ',' || c == '}' || c == ']' || is_white(c))) {
        return at;  // behind a number or a word
      } else {
        continue;
      }
      if (depth == 0 && !in_string) return at + 1 > input::kRecordMax ? 0 : at + 1;
    }
    if (buffer_.fill() != input::TextBuffer::Filled::kMore) return 0;
  }
}

std::string Collection::find_items() {
  char sign = peek();
  if (facts_.lists == 0 && sign != '{') return "expected an object with \"orderedItems\" here";
  for (; sign == '{' || sign == ','; sign = peek()) {
    pass(1);
    if (peek() != '"') break;
    const std::size_t size = measure();
    if (size == 0) break;
    const bool items = buffer_.unread().substr(0, size) == kItems;
    const bool total = buffer_.unread().substr(0, size) == kTotal;
    pass(size);
    if (peek() != ':') break;
    pass(1);
    if (items) {
      if (peek() != '[') return "\"orderedItems\" is no array";
      pass(1);
      ++facts_.lists;
      return {};
    }
    (void)peek();
    const std::size_t value = measure();
    if (value == 0) return "a member before \"orderedItems\" is longer than 1 MiB, or cut off";
    if (total) facts_.total = number_in(buffer_.unread().substr(0, value));
    pass(value);
  }
  // Anything may follow a list.
  over_ = facts_.lists > 0;
  return over_ ? "" : "there is no \"orderedItems\"";
}

input::JsonPiece Collection::broken(std::string problem) {
  over_ = true;
  input::JsonPiece piece;
  piece.line = line_;
  piece.ordinal = ordinal_;
  piece.problem = std::move(problem);
  return piece;
}

std::optional<input::JsonPiece> Collection::next() {
  pass(std::exchange(returned_, 0));
  while (!over_) {
    if (!in_list_) {
      std::string problem = find_items();
      if (!problem.empty()) return broken(std::move(problem));
      if (over_) break;
      in_list_ = true;
      ordinal_ = 0;
    }
    char sign = peek();
    if (sign == ',' && ordinal_ > 0) {
      pass(1);
      sign = peek();
    } else if (sign == ']') {
      pass(1);
      in_list_ = false;
      continue;
    } else if (ordinal_ > 0) {
      return broken(sign == 0 ? "the text ends inside of \"orderedItems\""
                              : "expected a comma or the end of \"orderedItems\" here");
    }
    if (!input::begins_json_value(sign)) return broken("expected an object or a text here");
    ++ordinal_;
    const std::size_t size = measure();
    if (size == 0) return broken("the text ends inside of an item, or it is longer than 1 MiB");
    if (facts_.lists != list_) {
      pass(size);
      continue;
    }
    returned_ = size;
    input::JsonPiece piece;
    piece.text = buffer_.unread().substr(0, size);
    piece.line = line_;
    piece.ordinal = ordinal_;
    return piece;
  }
  return std::nullopt;
}

}  // namespace chirp::cli::archive
