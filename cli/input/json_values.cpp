#include "cli/input/json_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace chirp::cli::input {
namespace {

// Counts line feeds, eight bytes at a time: much of indented JSON is white space.
std::uint64_t line_feeds(std::string_view text) {
  constexpr std::uint64_t kFeeds = 0x0A0A'0A0A'0A0A'0A0Au;
  constexpr std::uint64_t kLow = 0x7F7F'7F7F'7F7F'7F7Fu;
  std::uint64_t count = 0;
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    word ^= kFeeds;
    // The top bit of each byte that is not 0.
    const std::uint64_t others = ((word & kLow) + kLow) | word | kLow;
    count += static_cast<std::uint64_t>(std::popcount(~others));
  }
  return count + static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

// The characters that end a run of unimportant ones, outside of a string and inside.
struct Stops {
  std::array<bool, 256> outside{};
  std::array<bool, 256> inside{};
};
constexpr Stops kStops = [] {
  Stops stops;
  for (const char c : {'"', '{', '}', '[', ']'})
    stops.outside[static_cast<unsigned char>(c)] = true;
  for (const char c : {'"', '\\'}) stops.inside[static_cast<unsigned char>(c)] = true;
  return stops;
}();

// The next such character from `at` on, or the end.
std::size_t run_end(std::string_view text, std::size_t at, const std::array<bool, 256>& stops) {
  while (at < text.size() && !stops[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

void JsonValues::pass(std::size_t size) {
  const std::string_view text = buffer_.unread().substr(0, size);
  const std::uint64_t feeds = line_feeds(text);
  line_ += feeds;
  column_ = feeds == 0 ? column_ + size : size - text.rfind('\n') - 1;
  buffer_.consume(size);
}

JsonPiece JsonValues::broken(std::string problem) {
  over_ = true;
  return {.text = {},
          .line = line_,
          .column = column_,
          .ordinal = ordinal_,
          .problem = std::move(problem)};
}

std::optional<JsonPiece> JsonValues::next() {
  pass(std::exchange(returned_, 0));
  if (over_) return std::nullopt;
  switch (skip_to_value()) {
    case Between::kEnd:
      over_ = true;
      return std::nullopt;
    case Between::kStray:
      return broken("expected an object (\"{\") or the end of the array here");
    case Between::kValue:
      break;
  }
  ++ordinal_;
  const std::size_t size = measure();
  if (size == 0) {
    return broken(too_long_ ? too_long("entry", buffer_.record_max())
                            : "the text ends inside an entry");
  }
  returned_ = size;
  return JsonPiece{.text = buffer_.unread().substr(0, size),
                   .line = line_,
                   .column = column_,
                   .ordinal = ordinal_,
                   .problem = {}};
}

JsonValues::Between JsonValues::skip_to_value() {
  for (;;) {
    const std::string_view text = buffer_.unread();
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
      pass(i);
      if (c == '{' || (in_array_ && begins_json_value(c))) return Between::kValue;
      const bool opens = c == '[' && !in_array_;
      const bool closes = c == ']' && in_array_;
      const bool parts = c == ',' && in_array_ && ordinal_ > 0;
      if (!opens && !closes && !parts) return Between::kStray;
      if (opens || closes) in_array_ = opens;
      pass(1);
      break;
    }
    if (buffer_.unread().data() == text.data()) pass(text.size());
    if (!buffer_.unread().empty()) continue;
    if (buffer_.fill() != TextBuffer::Filled::kMore) {
      return in_array_ ? Between::kStray : Between::kEnd;
    }
  }
}

std::size_t JsonValues::whole(std::size_t size) {
  too_long_ = size > buffer_.record_max();
  return too_long_ ? 0 : size;
}

std::size_t JsonValues::measure() {
  const char first = buffer_.unread().front();
  return first == '{' || first == '[' || first == '"' ? measure_enclosed() : measure_word();
}

std::size_t JsonValues::measure_word() {
  std::size_t at = 0;
  for (;;) {
    at = std::min(buffer_.unread().find_first_of(",]} \t\r\n", at), buffer_.unread().size());
    if (at < buffer_.unread().size()) return whole(at);
    const auto filled = buffer_.fill();
    if (filled == TextBuffer::Filled::kMore) continue;
    too_long_ = filled == TextBuffer::Filled::kFull;
    return 0;
  }
}

std::size_t JsonValues::measure_enclosed() {
  std::size_t at = 0;
  int depth = 0;
  bool in_string = false;
  for (;;) {
    const std::string_view text = buffer_.unread();
    for (at = run_end(text, at, in_string ? kStops.inside : kStops.outside); at < text.size();
         at = run_end(text, at, in_string ? kStops.inside : kStops.outside)) {
      const char c = text[at++];
      if (c == '"') {
        in_string = !in_string;
        if (depth == 0 && !in_string) return whole(at);
      } else if (c == '\\') {
        ++at;  // may pass the end of the buffer: the next round continues after it
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (--depth == 0) {
        return whole(at);
      }
    }
    const auto filled = buffer_.fill();
    if (filled == TextBuffer::Filled::kMore) continue;
    too_long_ = filled == TextBuffer::Filled::kFull;
    return 0;
  }
}

std::string too_long(std::string_view what, std::size_t most) {
  return fmt::format(
      "the {} is longer than {} MiB{}", what, most >> 20,
      most == kPageMax ? "; `twarc2 flatten` makes a line of each post of a page" : "");
}

bool begins_json_value(char c) {
  constexpr std::string_view kFirst = "{[\"-0123456789tfn";
  return kFirst.find(c) != std::string_view::npos;
}

bool are_json_lines(std::string_view head) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < head.size(); ++i) {
    const char c = head[i];
    // A line that ends inside a string is cut off: JSON strings do not span lines.
    if (c == '\n') return depth == 0 || in_string;
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return true;
}

std::optional<OddWord> odd_word_in(std::string_view json, std::size_t column) {
  bool in_string = false;
  std::size_t lines = 0;
  std::size_t line_begin = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '\n') {
      ++lines;
      line_begin = at + 1;
      column = 0;
    } else if (in_string) {
      at += c == '\\' ? 1 : 0;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (is_letter(c)) {
      std::size_t end = at;
      while (end < json.size() && is_letter(json[end])) ++end;
      const std::string_view word = json.substr(at, end - at);
      const bool is_number = word == "e" || word == "E";  // part of a number such as 1e9
      if (!is_number && word != "true" && word != "false" && word != "null") {
        return OddWord{
            fmt::format("column {}: \"{}\" is not a JSON value; write null for a missing value",
                        column + at - line_begin + 1, word.substr(0, 20)),
            lines};
      }
      at = end - 1;
    }
  }
  return std::nullopt;
}

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
// With readable padding, as after every piece.
constexpr std::array<char, 2 + TextBuffer::kPadding> kEmptyArray{'[', ']'};

}  // namespace

char JsonMembers::skip_blanks() {
  for (;;) {
    const std::string_view text = buffer_.unread();
    const std::size_t at = text.find_first_not_of(kBlanks);
    pass(std::min(at, text.size()));
    if (at != std::string_view::npos) return text[at];
    if (buffer_.fill() != TextBuffer::Filled::kMore) return '\0';
  }
}

std::optional<JsonMember> JsonMembers::value() {
  const std::size_t size = measure();
  if (size == 0) {
    return JsonMember{
        key_,
        broken(too_long_ ? "the entry is longer than 1 MiB" : "the text ends inside an entry"),
        element_};
  }
  returned_ = size;
  return piece(buffer_.unread().substr(0, size));
}

JsonMember JsonMembers::piece(std::string_view text) {
  return {key_,
          {.text = text, .line = line_, .column = column_, .ordinal = ++ordinal_, .problem = {}},
          element_};
}

std::string JsonMembers::enter_member() {
  const std::size_t size = measure();
  if (size < 2) return "the text ends inside a name";
  key_ = buffer_.unread().substr(1, size - 2);
  pass(size);
  if (skip_blanks() != ':') return "expected a colon (\":\") after a name";
  pass(1);
  in_member_ = true;
  has_value_ = false;
  element_ = 0;
  in_array_ = skip_blanks() == '[';
  if (in_array_) pass(1);
  return {};
}

std::optional<JsonMember> JsonMembers::next() {
  pass(std::exchange(returned_, 0));
  const auto wrong = [&](std::string problem) {
    return JsonMember{key_, broken(std::move(problem)), in_member_ && in_array_ ? element_ + 1 : 0};
  };
  while (!over_) {
    char c = skip_blanks();
    if (ended_) {
      if (c != '\0') return wrong("expected the end of the text after the object");
      over_ = true;
      break;
    }
    const bool comma = has_value_ && c == ',';
    if (comma) {
      pass(1);
      c = skip_blanks();
    }
    const bool follows = comma || !has_value_;
    if (c == '\0') return wrong("the text ends inside an object");
    if (!std::exchange(begun_, true)) {
      if (c != '{') return wrong("expected an object (\"{\") here");
      pass(1);
    } else if (in_member_ && in_array_ && c == ']' && !comma) {
      pass(1);
      in_member_ = false;
      if (!std::exchange(has_value_, true)) return piece({kEmptyArray.data(), 2});
    } else if (in_member_) {
      if (!follows || !begins_json_value(c)) return wrong("expected a value here");
      in_member_ = in_array_;
      has_value_ = true;
      element_ += in_array_ ? 1 : 0;
      return value();
    } else if (c == '}' && !comma) {
      ended_ = true;
      pass(1);
    } else if (c != '"' || !follows) {
      return wrong("expected a name in quotes here");
    } else if (auto problem = enter_member(); !problem.empty()) {
      return wrong(std::move(problem));
    }
  }
  return std::nullopt;
}

void each_json_member(std::string_view head,
                      const std::function<void(std::string_view key, char first)>& take) {
  int depth = 0;
  std::size_t start = 0;  // start of the last string
  std::string_view last;  // last string directly in the object
  for (std::size_t i = head.find_first_not_of(kBlanks); i < head.size(); ++i) {
    const char c = head[i];
    if (c == '"') {
      start = i + 1;
      for (++i; i < head.size() && head[i] != '"'; ++i) i += head[i] == '\\' ? 1u : 0u;
      last = depth == 1 && i < head.size() ? head.substr(start, i - start) : std::string_view();
    } else if (c == ':' && depth == 1) {
      const std::size_t value = head.find_first_not_of(kBlanks, i + 1);
      if (value < head.size() && last.data() != nullptr) take(last, head[value]);
    } else if (c == '{' || c == '[') {
      if (depth == 0 && c == '[') return;
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth <= 0) return;
    } else if (depth == 0) {
      return;
    }
  }
}

}  // namespace chirp::cli::input
