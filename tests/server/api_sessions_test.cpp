// Goal: people see what is logged in to their account, and end what they don't know.
// Method: the App over the stores in memory; a clock that the test moves.
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/api_client.h"
#include "tests/support/child.h"

namespace chirp::test {
namespace {

struct Sessions : ApiClient {
  Sessions() {
    for (const char* name : {"mira", "yuki"}) add(name, "right password");
  }
  std::string log_in(const std::string& name) {
    clock.advance(1'000);
    return post("/v1/sessions", "",
                fmt::format(R"({{"username":"{}","password":"right password"}})", name))
        .text("/token");
  }
};

}  // namespace

TEST_CASE("api sessions: their owner sees each, with its end and which one asks") {
  Sessions api;
  const std::string first = api.log_in("mira");
  const std::string second = api.log_in("mira");
  (void)api.log_in("yuki");
  const User mira = *api.engine.accounts().find_name("mira");
  api.clock.advance(1'000);
  const auto lasting = api.engine.tokens().mint(mira, std::nullopt);
  const Answer listed = api.get("/v1/sessions", first);
  REQUIRE(listed.status() == 200);
  REQUIRE(listed.size("/sessions") == 3);
  CHECK_FALSE(listed.has("/sessions/0/expiresAt"));
  CHECK(listed.text("/sessions/1/createdAt") == "2026-01-01T00:00:02.000Z");
  CHECK(listed.text("/sessions/1/expiresAt") == "2026-01-31T00:00:02.000Z");
  CHECK_FALSE(listed.flag("/sessions/0/current"));
  CHECK_FALSE(listed.flag("/sessions/1/current"));
  CHECK(listed.flag("/sessions/2/current"));
  CHECK_FALSE(listed.flag("/pagination/hasMore"));
  for (const std::string& token : {first, second, lasting.token}) {
    CHECK(listed.body().find(token) == std::string::npos);
  }
  api.clock.advance(30 * kDayMs);
  CHECK(api.get("/v1/sessions", lasting.token).size("/sessions") == 1);
  CHECK(api.get("/v1/sessions").status() == 401);
}

TEST_CASE("api sessions: are walked page by page, those of one moment too") {
  Sessions api;
  const User mira = *api.engine.accounts().find_name("mira");
  std::string token;
  for (int i = 0; i < 7; ++i) {
    if (i % 3 == 0) api.clock.advance(1);
    token = api.engine.tokens().mint(mira, 3'600'000).token;
  }
  std::set<std::string> seen;
  std::string target = "/v1/sessions?limit=2";
  for (int page = 0; page < 4; ++page) {
    const Answer listed = api.get(target, token);
    REQUIRE(listed.status() == 200);
    for (std::size_t i = 0; i < listed.size("/sessions"); ++i) {
      CHECK(seen.insert(listed.text(fmt::format("/sessions/{}/sessionId", i))).second);
    }
    CHECK(listed.flag("/pagination/hasMore") == (page < 3));
    if (page < 3) target = "/v1/sessions?limit=2&cursor=" + listed.text("/pagination/nextCursor");
  }
  CHECK(seen.size() == 7);
  CHECK(api.get("/v1/sessions?cursor=b2thZm9y", token).status() == 400);
  CHECK(api.get("/v1/sessions?cursor=", token).status() == 400);
}

TEST_CASE("api sessions: one is ended, or all the others, and never somebody else's") {
  Sessions api;
  const std::string first = api.log_in("mira");
  const std::string second = api.log_in("mira");
  const std::string third = api.log_in("mira");
  const std::string other = api.log_in("yuki");
  const std::string id = api.get("/v1/sessions", second).text("/sessions/1/sessionId");
  CHECK(api.remove("/v1/sessions/" + id, other).status() == 404);
  CHECK(api.remove("/v1/sessions/" + id, first).status() == 204);
  CHECK(api.remove("/v1/sessions/" + id, first).status() == 404);
  CHECK(api.get("/v1/users/me", second).status() == 401);
  CHECK(api.get("/v1/users/me", third).status() == 200);
  for (const char* nothing : {"0000000000000000", "x", "%25", "me"}) {
    CHECK(api.remove("/v1/sessions/" + std::string(nothing), first).status() == 404);
  }
  CHECK(api.remove("/v1/sessions", first).status() == 204);
  CHECK(api.remove("/v1/sessions", first).status() == 204);
  CHECK(api.get("/v1/users/me", third).status() == 401);
  CHECK(api.get("/v1/users/me", first).status() == 200);
  CHECK(api.get("/v1/users/me", other).status() == 200);
  CHECK(api.get("/v1/sessions", first).size("/sessions") == 1);
}

TEST_CASE("api sessions: the log names the account of a request, and no secret") {
  const auto ended = run_forked([] {
    Sessions world;
    Log log(Log::Requests::kLogged);
    const auto app = api::make_app({world.engine,
                                    world.callers,
                                    world.hub,
                                    world.metrics,
                                    log,
                                    "test",
                                    [] { return true; },
                                    {},
                                    {}});
    const auto ask = [&](http::Method method, const char* target, const std::string& body,
                         const std::string& token = {}) {
      return app->answer(request_for(method, target, {.token = token, .body = body}));
    };
    using http::Method;
    (void)ask(Method::kPost, "/v1/sessions", R"({"username":"MIRA","password":"wrong secret"})");
    (void)ask(Method::kPost, "/v1/sessions",
              R"({"email":"mira@example.org","password":"right password"})");
    (void)ask(Method::kPost, "/v1/sessions", R"({"username":"my secret","password":"x"})");
    (void)ask(Method::kPatch, "/v1/users/me", R"({"bio":"a secret"})", world.log_in("yuki"));
    (void)ask(Method::kPost, "/v1/users",
              R"({"username":"zoe","email":"z@example.org","password":"zoe's secret"})");
    return 0;
  });
  REQUIRE(ended.ok());
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < ended.err.size();) {
    const std::size_t end = std::min(ended.err.find('\n', at), ended.err.size());
    lines.push_back(ended.err.substr(at, end - at));
    at = end + 1;
  }
  REQUIRE(lines.size() == 5);
  const auto says = [&](std::size_t line, const std::string& part) {
    return lines[line].find(part) != std::string::npos;
  };
  CHECK(says(0, "\"operation\":\"logIn\",\"status\":401"));
  CHECK(says(0, "\"account\":\"mira\""));
  CHECK(says(1, "\"account\":\"mira\""));
  CHECK(says(2, "\"account\":\"\""));
  CHECK(says(3, "\"account\":\"yuki\""));
  CHECK(says(4, "\"account\":\"zoe\""));
  CHECK(ended.err.find("secret") == std::string::npos);
  CHECK(ended.err.find("right password") == std::string::npos);
}

}  // namespace chirp::test
