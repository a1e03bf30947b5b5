// Goal: a page of somebody else's name that resolves to this machine gets no answer. Method: names
// and what a server is bound to, as a table.
#include "server/hosts.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace chirp::test {

TEST_CASE("api hosts: a server for this machine alone answers for this machine's names") {
  for (const char* bound : {"127.0.0.1", "localhost", "::1", "127.0.0.2"}) {
    CAPTURE(bound);
    for (const char* host : {"localhost", "LocalHost", "127.0.0.1", "[::1]"}) {
      CHECK(answers_for(host, bound, {}));
    }
    for (const char* host : {"evil.example", "localhost.evil.example", "xlocalhost", "localhost.",
                             "127.0.0.3", "[::2]", "10.0.0.1", ""}) {
      CAPTURE(host);
      CHECK_FALSE(answers_for(host, bound, {}));
    }
  }
  CHECK(answers_for("127.0.0.2", "127.0.0.2", {}));
}

TEST_CASE("api hosts: what is set is answered for as well, and nothing else from then on") {
  const std::vector<std::string> set{"chirp.example", "[fd00::1]"};
  for (const char* bound : {"127.0.0.1", "0.0.0.0", "fd00::7"}) {
    CAPTURE(bound);
    for (const char* host : {"chirp.example", "CHIRP.example", "[FD00::1]", "localhost"}) {
      CHECK(answers_for(host, bound, set));
    }
    CHECK_FALSE(answers_for("evil.example", bound, set));
    CHECK_FALSE(answers_for("www.chirp.example", bound, set));
  }
  CHECK(answers_for("[fd00::7]", "fd00::7", set));
}

TEST_CASE("api hosts: a server for others answers for any name until some are set") {
  for (const char* bound : {"0.0.0.0", "::", "192.168.1.4", ""}) {
    CHECK(answers_for("chirp.example", bound, {}));
  }
}

}  // namespace chirp::test
