#include "server/json/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace chirp::api {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Returns the length of the valid UTF-8 sequence at the front of `text`; otherwise 0.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i, unsigned char low = 0x80, unsigned char high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned char low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned char low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

// Whether an ASCII byte needs no escape in a JSON string.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x7F; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

// Returns the length of the front of `text` that needs no escape.
std::size_t plain_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto c = static_cast<unsigned char>(text[at]);
    const std::size_t length = kPlain[c] ? 1 : c < 0x80 ? 0 : sequence_length(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

// Appends a byte that needs an escape: an ASCII byte, or one that is not UTF-8.
void append_escaped(std::string& out, char character) {
  const auto c = static_cast<unsigned char>(character);
  if (c == '"' || c == '\\') {
    out.push_back('\\');
    out.push_back(character);
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\t') {
    out += "\\t";
  } else if (c < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
  } else {
    out += kReplacement;
  }
}

template <class Number>
void append_number(std::string& out, Number value) {
  if (value >= 0 && value < 10) {  // true for most counts
    out.push_back(static_cast<char>('0' + value));
    return;
  }
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

}  // namespace

JsonWriter& JsonWriter::reserve(std::size_t bytes) {
  out_.reserve(out_.size() + bytes);
  return *this;
}

void JsonWriter::before_value() {
  if (comma_) out_.push_back(',');
  comma_ = true;
}

JsonWriter& JsonWriter::begin_object() {
  before_value();
  out_.push_back('{');
  comma_ = false;
  return *this;
}
JsonWriter& JsonWriter::end_object() {
  out_.push_back('}');
  comma_ = true;
  return *this;
}
JsonWriter& JsonWriter::begin_array() {
  before_value();
  out_.push_back('[');
  comma_ = false;
  return *this;
}
JsonWriter& JsonWriter::end_array() {
  out_.push_back(']');
  comma_ = true;
  return *this;
}
JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  out_.push_back('"');
  out_ += name;
  out_ += "\":";
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::fields(std::string_view written) {
  before_value();
  out_ += written;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
  before_value();
  out_.push_back('"');
  for (;;) {
    const std::size_t plain = plain_length(text);
    out_ += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    append_escaped(out_, text.front());
    text.remove_prefix(1);
  }
  out_.push_back('"');
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  before_value();
  append_number(out_, value);
  return *this;
}
JsonWriter& JsonWriter::natural(std::uint64_t value) {
  before_value();
  append_number(out_, value);
  return *this;
}
JsonWriter& JsonWriter::real(double value) {
  if (!std::isfinite(value)) return null();
  before_value();
  fmt::format_to(std::back_inserter(out_), "{}", value);
  return *this;
}
JsonWriter& JsonWriter::boolean(bool value) {
  before_value();
  out_ += value ? "true" : "false";
  return *this;
}
JsonWriter& JsonWriter::null() {
  before_value();
  out_ += "null";
  return *this;
}
JsonWriter& JsonWriter::id(std::uint64_t value) {
  before_value();
  out_.push_back('"');
  append_number(out_, value);
  out_.push_back('"');
  return *this;
}
JsonWriter& JsonWriter::time(Time value) { return string(iso8601(value)); }

std::string JsonWriter::take() {
  comma_ = false;
  return std::exchange(out_, {});
}

}  // namespace chirp::api
