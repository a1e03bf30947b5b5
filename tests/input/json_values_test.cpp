// Goal: the values of a JSON text come one by one, and one that should not stand there ends
// nothing. Method: small texts in pieces of every size, with all that an array may hold.
#include "cli/input/json_values.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/inputs.h"

namespace chirp::cli::input {
namespace {

// What comes of a text: values with their lines, and last what is wrong with it.
std::vector<std::string> values_of(const std::string& text, std::size_t step) {
  test::OpenText open(text, step);
  JsonValues values(open.buffer());
  std::vector<std::string> all;
  while (const auto piece = values.next()) {
    all.push_back(std::to_string(piece->line) + " " +
                  (piece->problem.empty() ? std::string(piece->text) : piece->problem));
  }
  return all;
}

}  // namespace

TEST_CASE("JSON values: whatever an array holds comes, and all that is behind it") {
  const std::string text = R"([null, {"a": [1, "}"]}, 17 ,-1.5e3,true,"a \"]\" b",)"
                           "\n"
                           R"([{"b":2}, []], false, {"c":null}])";
  const std::vector<std::string> wanted{
      "1 null",           R"(1 {"a": [1, "}"]})", "1 17",    "1 -1.5e3",       "1 true",
      R"(1 "a \"]\" b")", R"(2 [{"b":2}, []])",   "2 false", R"(2 {"c":null})"};
  for (std::size_t step = 1; step <= text.size(); ++step) {
    CAPTURE(step);
    CHECK(values_of(text, step) == wanted);
  }
}

TEST_CASE("JSON values: objects follow one another, and nothing else does") {
  CHECK(values_of("{}\n{\"a\":1}", 1) == std::vector<std::string>{"1 {}", "2 {\"a\":1}"});
  for (const char* const stray : {"{}\n7", "{}\n\"a\"", "{}\nnull", "[{}\n}", "[{}\n:1]"}) {
    CAPTURE(stray);
    const auto all = values_of(stray, 1);
    REQUIRE(all.size() == 2);
    CHECK(all[1].starts_with("2 expected an object"));
  }
}

TEST_CASE("JSON values: a text that ends inside of a value says so, cut wherever") {
  const std::string text = R"([{"a":"b"},"c",12,[3]])";
  for (std::size_t size = 1; size < text.size(); ++size) {
    CAPTURE(size);
    const auto all = values_of(text.substr(0, size), 2);
    REQUIRE_FALSE(all.empty());
    const bool told = all.back().find("ends inside an entry") != std::string::npos ||
                      all.back().find("expected an object") != std::string::npos;
    CHECK(told);
  }
}

TEST_CASE("JSON values: what is too long is no value, with brackets, quotes or neither") {
  const std::string much(3 * kRecordMax, '1');
  for (const std::string& text :
       {"[{\"a\":" + much + "}]", "[\"" + much + "\"]", "[" + much + "]"}) {
    const auto all = values_of(text, 1 << 16);
    REQUIRE(all.size() == 1);
    CHECK(all[0] == "1 the entry is longer than 1 MiB");
  }
}

}  // namespace chirp::cli::input
