#include "cli/load/archive/collection.h"

#include <algorithm>
#include <utility>

namespace chirp::cli::archive {
namespace {

constexpr std::string_view kItems = "\"orderedItems\"";

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

Collection::Collection(input::ByteStream& stream, input::TextBuffer& buffer) : buffer_(buffer) {
  buffer_.open(stream);
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
  if (peek() != '{') return "expected an object with \"orderedItems\" here";
  for (char sign = '{'; sign == '{' || sign == ','; sign = peek()) {
    pass(1);
    if (peek() != '"') break;
    const std::size_t size = measure();
    if (size == 0) break;
    const bool items = buffer_.unread().substr(0, size) == kItems;
    pass(size);
    if (peek() != ':') break;
    pass(1);
    if (items) {
      if (peek() != '[') return "\"orderedItems\" is no array";
      pass(1);
      return {};
    }
    (void)peek();
    const std::size_t value = measure();
    if (value == 0) return "a member before \"orderedItems\" is longer than 1 MiB, or cut off";
    pass(value);
  }
  return "there is no \"orderedItems\"";
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
  if (over_) return std::nullopt;
  if (!std::exchange(found_, true)) {
    if (std::string problem = find_items(); !problem.empty()) return broken(std::move(problem));
  }
  char sign = peek();
  if (sign == ',' && ordinal_ > 0) {
    pass(1);
    sign = peek();
  } else if (sign == ']') {
    over_ = true;
    return std::nullopt;
  } else if (ordinal_ > 0) {
    return broken(sign == 0 ? "the text ends inside of \"orderedItems\""
                            : "expected a comma or the end of \"orderedItems\" here");
  }
  if (!input::begins_json_value(sign)) return broken("expected an object or a text here");
  ++ordinal_;
  const std::size_t size = measure();
  if (size == 0) return broken("the text ends inside of an item, or it is longer than 1 MiB");
  returned_ = size;
  input::JsonPiece piece;
  piece.text = buffer_.unread().substr(0, size);
  piece.line = line_;
  piece.ordinal = ordinal_;
  return piece;
}

}  // namespace chirp::cli::archive
