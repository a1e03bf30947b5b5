#include "cli/input/json_members.h"

#include <algorithm>
#include <array>
#include <utility>

namespace chirp::cli::input {
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
