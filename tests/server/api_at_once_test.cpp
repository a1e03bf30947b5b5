// Goal: what is answered at once is what would be answered otherwise, and what would take a look at
// a store is not tried. Method: the API without sockets, asked in both ways.
#include <doctest/doctest.h>

#include "core/hot/hot_set.h"
#include "tests/support/api_client.h"

namespace chirp::test {
namespace {

using http::Method;

bool may_be_at_once(ApiClient& api, Method method, std::string_view target) {
  return api.app->admit(request_for(method, target)).may_be_at_once;
}

}  // namespace

TEST_CASE("api at once: reads of feeds are tried, and nothing else") {
  ApiClient api;
  CHECK(may_be_at_once(api, Method::kGet, "/v1/feed"));
  CHECK(may_be_at_once(api, Method::kHead, "/v1/feed?limit=5"));
  CHECK_FALSE(may_be_at_once(api, Method::kPost, "/v1/feed"));
  CHECK_FALSE(may_be_at_once(api, Method::kPost, "/v1/feed/refresh"));
  CHECK_FALSE(may_be_at_once(api, Method::kGet, "/v1/trends"));
  CHECK_FALSE(may_be_at_once(api, Method::kPost, "/v1/posts"));
  CHECK_FALSE(may_be_at_once(api, Method::kGet, "/v1/stream"));
  CHECK_FALSE(may_be_at_once(api, Method::kGet, "/nowhere"));
}

TEST_CASE("api at once: what has to look somewhere is handed over, and counted once") {
  ApiClient api;
  const std::string token = api.token_of(api.add("mira"));
  http::Request request = request_for(Method::kGet, "/v1/feed", {.token = token});
  CHECK_FALSE(api.app->answer_at_once(request));
  const Answer answer(api.app->answer(request));
  CHECK(answer.status() == 200);
  CHECK(answer.header("RateLimit-Remaining") == "599");
}

TEST_CASE("api at once: who names nobody is refused at once as otherwise") {
  ApiClient api;
  http::Request request = request_for(Method::kGet, "/v1/feed");
  CHECK_FALSE(api.app->answer_at_once(request));  // the settings have yet to be read
  CHECK(api.app->serves("localhost"));
  const auto at_once = api.app->answer_at_once(request);
  REQUIRE(at_once);
  api.clock.advance(60'000);
  const http::Response otherwise = api.app->answer(request);
  CHECK(at_once->status == 401);
  CHECK(at_once->status == otherwise.status);
  CHECK(at_once->body == otherwise.body);
  REQUIRE(at_once->headers.size() == otherwise.headers.size());
  for (std::size_t i = 0; i < otherwise.headers.size(); ++i) {
    CHECK(at_once->headers[i].name == otherwise.headers[i].name);
    CHECK(at_once->headers[i].value == otherwise.headers[i].value);
  }
}

TEST_CASE("api at once: a token that was looked up is known, until something of it changes") {
  ApiClient api;
  const User mira = api.add("mira");
  const std::string token = api.token_of(mira);
  const auto status = [&] {
    http::Request request = request_for(Method::kGet, "/v1/feed?limit=0", {.token = token});
    const auto at_once = api.app->answer_at_once(request);
    return at_once ? at_once->status : 0;
  };
  CHECK(status() == 0);
  CHECK(api.get("/v1/feed", token).status() == 200);
  CHECK(status() == 400);
  api.engine.tokens().revoke(mira);
  CHECK(status() == 0);
  CHECK(api.get("/v1/feed", token).status() == 401);
  CHECK(status() == 0);
}

}  // namespace chirp::test
