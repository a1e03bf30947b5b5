// Goal: each path and method lead to the operation that the table says, and nowhere else.
// Method: a router over a table made for the purpose; then the real tables, which must be of one
// mind.
#include <array>
#include <set>

#include <doctest/doctest.h>

#include "server/api/router.h"

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
