// Goal: the benchmark of the server runs to its end and prints each figure beside its reference.
// Method: the program itself, on a small world, for as short as it goes.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/child.h"

namespace chirp::test {

TEST_CASE("bench: feeds, the same in a crowd, and posts over HTTP") {
  const Ended ended = run({{CHIRP_BINARY, "bench", "http", "--json", "--seconds", "0.05", "--users",
                            "80", "--posts", "500"}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  CHECK(std::count(ended.out.begin(), ended.out.end(), '\n') == 3);
  CHECK(ended.out.find(R"("name":"feed over http")") != std::string::npos);
  CHECK(ended.out.find("bare cpp-httplib sending the same bytes") != std::string::npos);
  CHECK(ended.out.find(R"("name":"posts over http")") != std::string::npos);
}

}  // namespace chirp::test
