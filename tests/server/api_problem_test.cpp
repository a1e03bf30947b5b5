// Goal: what goes wrong in the server is told to people outside without naming its files.
// Method: every kind of Error with the message of a store; a whole call whose store fails.
#include <doctest/doctest.h>

#include "core/error.h"
#include "server/api/problem.h"
#include "tests/support/api_client.h"

namespace chirp::test {

TEST_CASE("api problem: no answer about trouble in the server names a file of it") {
  const std::string told = "Writing /srv/chirp/engine/data.mdb failed: no space. Free some.";
  for (const ErrorCode code : {ErrorCode::kUnavailable, ErrorCode::kStorageFull,
                               ErrorCode::kReadOnly, ErrorCode::kNotLetIn, ErrorCode::kIo,
                               ErrorCode::kCorrupt, ErrorCode::kVersion, ErrorCode::kInternal}) {
    const api::Problem problem = api::problem_of(Error(code, told));
    CAPTURE(problem.detail);
    CHECK(problem.status >= 500);
    CHECK(problem.detail.find('/') == std::string::npos);
    CHECK(problem.detail.find("data.mdb") == std::string::npos);
    CHECK(problem.errors.empty());
    CHECK((problem.status == 503) == !problem.headers.empty());
  }
}

TEST_CASE("api problem: who has to look before they try again is told so") {
  const Error busy(ErrorCode::kUnavailable, "The database is busy.");
  CHECK(api::problem_of(busy).detail.find("Try again") != std::string::npos);
  const Error lost(ErrorCode::kUnavailable, "The line to /srv/socket is lost.", "outcome");
  const api::Problem problem = api::problem_of(lost);
  CHECK(problem.status == 503);
  CHECK(problem.detail.find("does not know whether it was done. Check before you try again") !=
        std::string::npos);
  CHECK(problem.detail.find('/') == std::string::npos);
}

}  // namespace chirp::test
