// Goal: each path and method lead to the operation that the table says, and nowhere else; a server
// answers only for its own hosts.
// Method: a router over a table made for the purpose; then the real tables, which must be of one
// mind.
#include <array>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "server/api/router.h"
#include "server/hosts.h"

namespace chirp::api {
namespace {

using http::Method;

http::Response unused(Call&) { return {}; }

constexpr Operation op(Method method, std::string_view pattern, std::string_view id) {
  return {method, pattern, id, Access::kNobody, http::Lane::kRead, Body::kNone, unused};
}

constexpr std::array kTable{
    op(Method::kGet, "/", "page"),
    op(Method::kGet, "/users/{user}", "user"),
    op(Method::kGet, "/users/{user}/posts", "posts"),
    op(Method::kDelete, "/users/me", "remove"),
    op(Method::kGet, "/users/me/blocks", "blocks"),
    op(Method::kPost, "/posts", "publish"),
    op(Method::kPost, "/posts/batch", "batch"),
    op(Method::kGet, "/posts/{post}", "post"),
    op(Method::kGet, "/{a}/{b}/{c}/{d}", "four"),
};

std::string found(Method method, std::vector<std::string> segments) {
  static const std::array<std::span<const Operation>, 1> kTables{kTable};
  static const Router kRouter(kTables);
  const Router::Match match = kRouter.match(method, segments);
  std::string text = match.operation == nullptr ? "-" : std::string(match.operation->id);
  for (const std::string_view value : match.path) text += " " + std::string(value);
  return match.operation == nullptr ? text + " " + std::string(match.allow) : text;
}

}  // namespace

TEST_CASE("router: a literal goes before a name, and a name is taken where it must be") {
  CHECK(found(Method::kGet, {}) == "page");
  CHECK(found(Method::kGet, {"users", "7"}) == "user 7");
  CHECK(found(Method::kHead, {"users", "7"}) == "user 7");
  CHECK(found(Method::kGet, {"users", "me", "blocks"}) == "blocks");
  CHECK(found(Method::kGet, {"users", "me", "posts"}) == "posts me");
  CHECK(found(Method::kGet, {"users", "a/b", "posts"}) == "posts a/b");
  CHECK(found(Method::kPost, {"posts", "batch"}) == "batch");
  CHECK(found(Method::kGet, {"posts", "12"}) == "post 12");
  CHECK(found(Method::kGet, {"posts", ""}) == "- ");
  CHECK(found(Method::kGet, {"w", "x", "y", "z"}) == "four w x y z");
}

TEST_CASE("router: a path that is there says what it takes, one that is not says nothing") {
  CHECK(found(Method::kPost, {}) == "- GET, HEAD");
  CHECK(found(Method::kGet, {"users", "me"}) == "- DELETE");
  CHECK(found(Method::kGet, {"posts", "batch"}) == "- POST");
  CHECK(found(Method::kHead, {"posts"}) == "- POST");
  CHECK(found(Method::kOptions, {"posts", "1"}) == "- 1 GET, HEAD");
  CHECK(found(Method::kGet, {"users"}) == "- ");
  CHECK(found(Method::kGet, {"users", "7", "posts", ""}) == "- ");
  CHECK(found(Method::kGet, {"users", "7", "posts", "8", "9"}) == "- ");
  CHECK(found(Method::kGet, {"nothing"}) == "- ");
}

TEST_CASE("router: the tables name each operation once, and each has all it takes") {
  std::set<std::string_view> ids;
  for (const auto& table : operation_tables()) {
    for (const Operation& operation : table) {
      CAPTURE(operation.id);
      CHECK(ids.insert(operation.id).second);
      CHECK(operation.pattern.starts_with('/'));
      CHECK((operation.handle != nullptr));
      CHECK(operation.method != Method::kHead);
      CHECK(operation.method != Method::kOptions);
      if (operation.method == Method::kGet) CHECK(operation.body == Body::kNone);
    }
  }
  CHECK(ids.size() >= 2);
  const Router router(operation_tables());
}

}  // namespace chirp::api

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
