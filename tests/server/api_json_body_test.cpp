// Goal: a body is one JSON object that means one thing, and every fault of its fields is said at
// once. Method: tables of texts that are none, at the bounds themselves; fields of each kind.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "server/api/json_body.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

int status_of(std::string_view text) {
  try {
    const JsonBody body(text);
  } catch (const Problem& problem) {
    CHECK(problem.code == "invalid_argument");
    CHECK_FALSE(problem.detail.empty());
    return problem.status;
  }
  return 0;
}

std::string nested(std::size_t levels, char open, char close) {
  return "{\"a\":" + std::string(levels - 1, open) + std::string(levels - 1, close) + "}";
}

std::string faults_of(const JsonBody& body) {
  try {
    body.check();
  } catch (const Problem& problem) {
    CHECK(problem.status == 422);
    std::string text;
    for (const FieldError& error : problem.errors) text += error.field + " ";
    return text;
  }
  return {};
}

}  // namespace

TEST_CASE("json body: what is not one object in UTF-8 can't be read") {
  for (const char* good : {"{}", " {} \n", R"({"a":1,"A":2,"b":{"a":1},"c":[{"a":1},{"a":1}]})"}) {
    CHECK(status_of(good) == 0);
  }
  CHECK(status_of("") == 0);
  for (const char* bad : {" ",
                          "[]",
                          "1",
                          "\"a\"",
                          "null",
                          "{",
                          "}",
                          "{}{}",
                          "{} x",
                          "{},",
                          "{\"a\"}",
                          "{\"a\":}",
                          "{\"a\":1,}",
                          "{a:1}",
                          "{'a':1}",
                          "{\"a\":01}",
                          "{\"a\":+1}",
                          "{\"a\":NaN}",
                          "{\"a\":\"\xff\"}",
                          "{\"a\":\"\xc0\x80\"}",
                          "{\"a\":\"\xed\xa0\x80\"}",
                          "{\"a\":\"\\ud800\"}",
                          "{\"a\":\"\n\"}",
                          "\xef\xbb\xbf",
                          "\xef\xbb\xbf\xef\xbb\xbf{}",
                          "{\xef\xbb\xbf}",
                          "{\"a\":tru}",
                          "// x\n{}",
                          "{\"a\":\"b}"}) {
    CAPTURE(bad);
    CHECK(status_of(bad) == 400);
  }
  CHECK(status_of(std::string_view("{}\0", 3)) == 400);
}

TEST_CASE("json body: a byte order mark is skipped, and a bad byte is reported with its place") {
  JsonBody body("\xef\xbb\xbf{\"a\":\"b\"}");
  CHECK(body.string("a", Need::kRequired) == "b");
  for (const auto& [text, place] : std::vector<std::pair<std::string, std::string>>{
           {"{\"content\":\"J\xf8rn\"}", "at byte 13,"},
           {"\xff{}", "at byte 0,"},
           {"\xef\xbb\xbf{\"\xc3\xa9\":\"\xc3\"}", "at byte 10,"}}) {
    try {
      JsonBody bad(text);
      CHECK(false);
    } catch (const Problem& problem) {
      CHECK(problem.status == 400);
      CHECK(problem.detail.find(place) != std::string::npos);
    }
  }
}

TEST_CASE("json body: a whole number may be written as a decimal or with an exponent") {
  const auto number = [](const std::string& text) {
    JsonBody body("{\"n\":" + text + "}");
    return body.integer("n", Need::kRequired, -10, 1'000'000);
  };
  CHECK(number("5.0") == 5);
  CHECK(number("5e0") == 5);
  CHECK(number("-1.0E+1") == -10);
  CHECK(number("1e6") == 1'000'000);
  CHECK(number("0.5e1") == 5);
  for (const char* bad :
       {"5.5", "5e-1", "1e7", "1e300", "9007199254740993.0", "\"5\"", "true", "-11.0"}) {
    CAPTURE(bad);
    CHECK_FALSE(number(bad));
  }
}

TEST_CASE("json body: a key comes once, at every level, however it is written") {
  for (const char* bad :
       {R"({"a":1,"a":1})", R"({"a":1,"\u0061":2})", R"({"x":{"a":1,"b":2,"a":3}})",
        R"({"x":[1,[{"a":1,"a":1}]]})", R"({"":1,"":2})"}) {
    CAPTURE(bad);
    CHECK(status_of(bad) == 400);
  }
}

TEST_CASE("json body: nesting ends at its bound") {
  for (const auto& [open, close] : {std::pair{'[', ']'}}) {
    CHECK(status_of(nested(limits::kJsonDepthMax, open, close)) == 0);
    CHECK(status_of(nested(limits::kJsonDepthMax + 1, open, close)) == 400);
    CHECK(status_of(nested(30'000, open, close)) == 400);
  }
  std::string objects;
  for (std::size_t i = 0; i < limits::kJsonDepthMax; ++i) objects += "{\"a\":";
  CHECK(status_of(objects + "1" + std::string(limits::kJsonDepthMax, '}')) == 0);
  CHECK(status_of("{\"a\":" + objects + "1" + std::string(limits::kJsonDepthMax + 1, '}')) == 400);
}

TEST_CASE("json body: a field is read as what it is, and a fault is said where it is") {
  JsonBody body(R"({"s":"x","b":true,"n":5,"i":"42","z":null,"l":["a","b"],"ids":["1","2"],
                    "big":"9223372036854775807","float":1.5})");
  CHECK(body.string("s", Need::kRequired) == "x");
  CHECK(body.boolean("b", Need::kRequired) == true);
  CHECK(body.integer("n", Need::kRequired, 1, 5) == 5);
  CHECK(body.id("i", Need::kRequired) == 42);
  CHECK(body.id("big", Need::kRequired) == 9223372036854775807u);
  CHECK_FALSE(body.id("z", Need::kOptional));
  CHECK(body.has("z"));
  CHECK(body.is_null("z"));
  CHECK_FALSE(body.has("none"));
  CHECK_FALSE(body.string("none", Need::kOptional));
  CHECK(body.strings("l", Need::kRequired, 1, 2) == std::vector<std::string>{"a", "b"});
  CHECK(body.ids("ids", Need::kRequired, 1, 2) == std::vector<std::uint64_t>{1, 2});
  CHECK(faults_of(body).empty());
  CHECK_FALSE(body.string("b", Need::kRequired));
  CHECK_FALSE(body.boolean("s", Need::kOptional));
  CHECK_FALSE(body.integer("n", Need::kRequired, 6, 9));
  CHECK_FALSE(body.integer("float", Need::kRequired, 0, 9));
  CHECK_FALSE(body.string("none", Need::kRequired));
  CHECK_FALSE(body.string("z", Need::kOptional));
  CHECK_FALSE(body.strings("l", Need::kRequired, 3, 4));
  CHECK_FALSE(body.ids("l", Need::kRequired, 0, 4));
  CHECK(faults_of(body) == "b s n float none z l l[0] ");
}

TEST_CASE("json body: an id is a string of digits that fits 63 bits") {
  for (const char* bad : {"1", "\"\"", "\"-1\"", "\"+1\"", "\" 1\"", "\"1 \"", "\"0x1\"", "\"1.0\"",
                          "\"9223372036854775808\"", "\"18446744073709551616\"",
                          "\"00000000000000000001\"", "[]", "null", "true"}) {
    CAPTURE(bad);
    JsonBody body(fmt::format("{{\"i\":{}}}", bad));
    CHECK_FALSE(body.id("i", Need::kRequired));
    CHECK(faults_of(body) == "i ");
  }
}

}  // namespace chirp::api
