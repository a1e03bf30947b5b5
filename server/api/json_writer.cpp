#include "server/api/json_writer.h"

#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace chirp::api {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The length of the valid UTF-8 sequence at the front of `text`, 0 if there is none.
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

}  // namespace

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
  string(name);
  out_.push_back(':');
  comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
  before_value();
  out_.push_back('"');
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    const std::size_t length = sequence_length(text);
    if (c == '"' || c == '\\') {
      out_.push_back('\\');
      out_.push_back(text.front());
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (c == '\t') {
      out_ += "\\t";
    } else if (c < 0x20 || c == 0x7F) {
      fmt::format_to(std::back_inserter(out_), "\\u{:04x}", c);
    } else if (length == 0) {
      out_ += kReplacement;
    } else {
      out_ += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out_.push_back('"');
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  before_value();
  fmt::format_to(std::back_inserter(out_), "{}", value);
  return *this;
}
JsonWriter& JsonWriter::natural(std::uint64_t value) {
  before_value();
  fmt::format_to(std::back_inserter(out_), "{}", value);
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
  fmt::format_to(std::back_inserter(out_), "\"{}\"", value);
  return *this;
}
JsonWriter& JsonWriter::time(Time value) { return string(iso8601(value)); }

std::string JsonWriter::take() {
  comma_ = false;
  return std::exchange(out_, {});
}

}  // namespace chirp::api
