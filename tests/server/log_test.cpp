// Goal: the log is a JSON object a line, with what it was given and nothing broken by it.
// Method: a forked copy of the test logs; its standard error is read.

#include "server/log.h"

#include <string>

#include <doctest/doctest.h>

#include "tests/support/child.h"

using namespace chirp;

namespace {

// What follows the time of a line.
std::string rest(const std::string& line) {
  const auto end = line.find(',');
  return end == std::string::npos ? line : line.substr(end + 1);
}

}  // namespace

TEST_CASE("log: a line is a JSON object, whatever is in it") {
  const auto ended = test::run_forked([] {
    Log log(Log::Requests::kLogged);
    log.write(Severity::kWarning, "disk \"full\"\n", {{"path", std::string("/a\tb\xff")}});
    log.request({{"id", std::string("r1")}, {"status", std::int64_t{200}}});
    return 0;
  });
  REQUIRE(ended.ok());
  const auto second = ended.err.find('\n') + 1;
  CHECK(ended.err.starts_with("{\"time\":\"2"));
  CHECK(rest(ended.err.substr(0, second)) ==
        "\"level\":\"warning\",\"message\":\"disk \\\"full\\\"\\n\",\"path\":\"/a\\tb\uFFFD\"}\n");
  CHECK(rest(ended.err.substr(second)) ==
        "\"level\":\"info\",\"message\":\"request\",\"id\":\"r1\",\"status\":200}\n");
}

TEST_CASE("log: requests can be kept quiet") {
  const auto ended = test::run_forked([] {
    Log log(Log::Requests::kQuiet);
    log.request({{"id", std::string("r1")}});
    log.write(Severity::kInfo, "serving");
    return 0;
  });
  REQUIRE(ended.ok());
  CHECK(ended.err.find("r1") == std::string::npos);
  CHECK(ended.err.find("serving") != std::string::npos);
}
