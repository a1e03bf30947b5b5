// Goal: whatever bytes a text has, what is written is JSON in valid UTF-8 that says the same.
// Method: every byte alone and between others, sequences cut short, and values at their bounds,
// against what the rules of JSON and UTF-8 make of each.

#include "server/json/json_writer.h"

#include <cstdint>
#include <limits>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace chirp;

namespace {

std::string written(std::string_view text) { return api::JsonWriter().string(text).text(); }

std::string of_byte(unsigned byte) {
  switch (byte) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    default:
      break;
  }
  if (byte < 0x20 || byte == 0x7F) return fmt::format("\\u{:04x}", byte);
  if (byte >= 0x80) return "\uFFFD";
  return std::string(1, static_cast<char>(byte));
}

}  // namespace

TEST_CASE("json writer: each byte alone, and among others") {
  for (unsigned byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const std::string one(1, static_cast<char>(byte));
    CHECK(written(one) == "\"" + of_byte(byte) + "\"");
    CHECK(written("ab" + one + "cd" + one) == "\"ab" + of_byte(byte) + "cd" + of_byte(byte) + "\"");
  }
}

TEST_CASE("json writer: characters of every length go out as they are, cut ones do not") {
  for (const std::string character : {"é", "\u0800", "\uD7FF", "\uFFFD", "🦭", "\U0010FFFF"}) {
    CAPTURE(character);
    CHECK(written("x" + character + "y") == "\"x" + character + "y\"");
    for (std::size_t bytes = 1; bytes < character.size(); ++bytes) {
      std::string replaced;
      for (std::size_t i = 0; i < bytes; ++i) replaced += "\uFFFD";
      CHECK(written(character.substr(0, bytes) + "y") == "\"" + replaced + "y\"");
    }
  }
  CHECK(written("\xED\xA0\x80") == "\"\uFFFD\uFFFD\uFFFD\"");  // a surrogate
  CHECK(written("\xC0\xAF") == "\"\uFFFD\uFFFD\"");            // too long a form
}

TEST_CASE("json writer: numbers, ids and times at their bounds") {
  api::JsonWriter json;
  json.begin_array();
  json.integer(std::numeric_limits<std::int64_t>::min());
  json.natural(std::numeric_limits<std::uint64_t>::max());
  json.id(std::numeric_limits<std::uint64_t>::max()).id(0);
  json.real(0.1).real(std::numeric_limits<double>::infinity());
  json.time(Time{0}).time(Time{-1}).time(Time{253'402'300'799'999});
  json.end_array();
  CHECK(json.text() ==
        "[-9223372036854775808,18446744073709551615,\"18446744073709551615\",\"0\",0.1,null,"
        "\"1970-01-01T00:00:00.000Z\",\"1969-12-31T23:59:59.999Z\",\"9999-12-31T23:59:59.999Z\"]");
}
