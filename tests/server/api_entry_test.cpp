// Goal: a client that may not send a body gets its answer after the head of the request, and a
// request that may is counted once. Method: the App over the stores in memory, asked about heads as
// the front does, and then for the answer.
#include <doctest/doctest.h>

#include "server/limits.h"
#include "tests/support/api_client.h"
#include "tests/support/pictures.h"

namespace chirp::test {
namespace {

using http::Method;

struct Entrance : ApiClient {
  http::Entry enter(const std::string& path, const Asking& asking) {
    http::Request request = request_for(Method::kPost, path, asking);
    request.body.clear();
    return app->enter(request);
  }
  // The head of a request with a picture.
  Asking picture(const std::string& with, const std::string& type = "image/png") {
    return {.token = with, .body = png(), .type = type};
  }
  int refused(const std::string& path, const Asking& asking) {
    const http::Entry entry = enter(path, asking);
    return entry.refusal ? entry.refusal->status : 0;
  }

  User mira = add("mira");
  std::string token = token_of(mira);
};

}  // namespace

TEST_CASE("api entry: a body is refused by its head as it would be behind it") {
  Entrance api;
  CHECK(api.refused("/v1/media", api.picture(api.token)) == 0);
  CHECK(api.refused("/v1/media", api.picture("")) == 401);
  CHECK(api.refused("/v1/media", api.picture("wrong")) == 401);
  CHECK(api.refused("/v1/media", api.picture(api.token, "text/html")) == 415);
  CHECK(api.refused("/v1/media", api.picture(api.token, "multipart/form-data; boundary=x")) == 0);
  CHECK(api.refused("/nowhere", api.picture(api.token)) == 404);
  CHECK(api.refused("/v1/feed", api.picture(api.token)) == 405);
  CHECK(api.refused("/v1/posts", api.picture(api.token)) == 415);
  CHECK(api.refused("/v1/posts", api.picture(api.token, "application/json")) == 0);
  Asking foreign = api.picture(api.token);
  foreign.headers.push_back({"origin", "https://evil.example"});
  CHECK(api.refused("/v1/media", foreign) == 403);
  const http::Entry entry = api.enter("/v1/media", api.picture(""));
  REQUIRE(entry.refusal);
  const Answer answer(*entry.refusal);
  CHECK(answer.code() == "unauthenticated");
  CHECK(answer.header("RateLimit-Limit") == "120");
}

TEST_CASE("api entry: what is let in is counted then, and not again when it is answered") {
  Entrance api;
  api.set("http.rate_limit", "2");
  api.set("http.rate_limit_anonymous", "2");
  CHECK(api.refused("/v1/media", api.picture(api.token)) == 0);
  http::Request whole = request_for(Method::kPost, "/v1/media", api.picture(api.token));
  whole.counted = true;
  Answer answer(api.app->answer(whole));
  CHECK(answer.status() == 201);
  CHECK(answer.header("RateLimit-Remaining") == "1");
  CHECK(api.refused("/v1/media", api.picture(api.token)) == 0);
  CHECK(api.refused("/v1/media", api.picture(api.token)) == 429);
  // What has been let in is answered, and a token that has gone meanwhile is looked at again.
  answer = Answer(api.app->answer(whole));
  CHECK(answer.status() == 200);
  api.engine.tokens().revoke_this(api.token);
  CHECK(api.app->answer(whole).status == 401);
  // Refusals are counted, too, and so is what never comes as far.
  for (const int status : {401, 401, 429}) {
    CHECK(api.refused("/v1/media", api.picture("")) == status);
  }
  api.clock.advance(limits::kRateWindowMs);
  for (const char* left : {"1", "0", "0"}) {
    CHECK(Answer(api.app->refuse({413, "too long", "192.0.2.1", "r"}))
              .header("RateLimit-Remaining") == left);
  }
  CHECK(api.refused("/v1/media", api.picture("")) == 429);
}

TEST_CASE("api entry: a body is paid for by the client behind a proxy, and by the account") {
  Entrance api;
  api.set("http.trusted_proxies", "10.0.0.1");
  api.set("http.connections", "7");
  Asking asking = api.picture(api.token);
  asking.address = "10.0.0.1";
  asking.headers.push_back({"x-forwarded-for", "203.0.113.5"});
  const http::Holder through = api.enter("/v1/media", asking).holder;
  asking = api.picture(api.token);
  asking.address = "203.0.113.5";
  CHECK(through == api.enter("/v1/media", asking).holder);
  CHECK(through.user == std::to_string(api.mira.number.value));
  asking.address = "203.0.113.6";
  CHECK(api.enter("/v1/media", asking).holder.address != through.address);
  asking.address = "2001:db8::1";
  const http::Holder six = api.enter("/v1/media", asking).holder;
  asking.address = "2001:db8::2";
  CHECK(api.enter("/v1/media", asking).holder == six);
  // Answers are paid for by the same.
  CHECK(api.get("/v1/users/me", api.token).response().holder.user == through.user);
  CHECK(api.get("/metrics", api.token).response().holder.user == through.user);
  CHECK(api.get("/metrics").response().holder.user.empty());
  // The proxy itself has as many connections as it likes.
  CHECK(api.app->connections_of("203.0.113.5") == std::size_t{7});
  CHECK_FALSE(api.app->connections_of("10.0.0.1"));
}

}  // namespace chirp::test
