// Goal: over HTTP only the owner of a suspended account learns of it, and names change as the
// contract says. Method: the App over the stores in memory; a clock that the test moves.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/limits.h"
#include "tests/support/api_client.h"

namespace chirp::test {
namespace {

struct States : ApiClient {
  States() {
    for (const char* name : {"mira", "yuki"}) add(name, "right password");
    mira = engine.accounts().resolve("mira");
    token = token_of(mira);
  }
  Answer log_in(const std::string& name, const std::string& password = "right password") {
    clock.advance(1'000);
    return post("/v1/sessions", "",
                fmt::format(R"({{"username":"{}","password":"{}"}})", name, password));
  }
  Answer rename(const std::string& username) {
    return patch(
        "/v1/users/me", token,
        fmt::format(R"({{"newUsername":"{}","currentPassword":"right password"}})", username));
  }

  User mira;
  std::string token;
};

bool tells(const Answer& answer) {
  return answer.body().find("This account is suspended") != std::string::npos;
}

}  // namespace

TEST_CASE("api states: a suspended account learns of it by its token and its password") {
  States api;
  CHECK(api.get("/v1/users/me", api.token).status() == 200);  // whose it is, is known from now on
  (void)api.engine.accounts().suspend(api.mira);
  const Answer refused = api.get("/v1/users/me", api.token);
  CHECK(refused.status() == 401);
  CHECK(refused.code() == "unauthenticated");
  CHECK(refused.header("WWW-Authenticate"));
  CHECK(tells(refused));
  CHECK(tells(api.get("/v1/feed", api.token)));
  CHECK(tells(api.get("/v1/users/@yuki", api.token)));  // where a token is not needed, too
  CHECK(tells(api.log_in("mira")));
  CHECK(api.log_in("mira").status() == 401);
  CHECK_FALSE(tells(api.log_in("mira", "wrong password")));
  CHECK(api.get("/v1/users/@mira").status() == 404);
  // Their token does not hinder others from logging in.
  const Answer other =
      api.post("/v1/sessions", api.token, R"({"username":"yuki","password":"right password"})");
  CHECK(other.status() == 201);

  (void)api.engine.accounts().unsuspend(api.engine.accounts().resolve_kept("mira"));
  CHECK(api.get("/v1/users/me", api.token).status() == 200);
  CHECK(api.log_in("mira").status() == 201);
}

TEST_CASE("api states: an account gets another name, and is found by the one before for 30 days") {
  States api;
  CHECK(api.patch("/v1/users/me", api.token, R"({"newUsername":"okafor"})").blamed() ==
        "currentPassword");
  const Answer renamed = api.rename("okafor");
  CHECK(renamed.status() == 200);
  CHECK(renamed.text("/username") == "okafor");
  CHECK(api.rename("okafor").status() == 200);  // a repeat changes nothing
  const std::string id = std::to_string(api.mira.id.value);
  CHECK(api.get("/v1/users/@okafor").text("/userId") == id);
  CHECK(api.get("/v1/users/@mira").text("/userId") == id);
  CHECK(api.log_in("mira").status() == 201);
  CHECK(api.post("/v1/users", "",
                 R"({"username":"mira","email":"m@example.org","password":"seven wet geese"})")
            .status() == 409);

  const Answer early = api.rename("zoe");
  CHECK(early.status() == 409);
  CHECK(early.code() == "conflict");
  CHECK(early.blamed() == "newUsername");
  CHECK(api.rename("yuki").status() == 409);
  CHECK(api.rename("no name").status() == 422);

  api.clock.advance(limits::kOldNameMs);
  CHECK(api.get("/v1/users/@mira").status() == 404);
  CHECK(api.rename("yuki").code() == "already_exists");
  CHECK(api.rename("zoe").status() == 200);
}

TEST_CASE(
    "api states: mentions by an old name reach who bore it, and those of before stay theirs") {
  States api;
  const std::string yuki = api.token_of(api.engine.accounts().resolve("yuki"));
  (void)api.post("/v1/posts", yuki, R"({"content":"to @mira"})");
  CHECK(api.rename("okafor").status() == 200);
  (void)api.post("/v1/posts", yuki, R"({"content":"again to @mira"})");
  const Answer told = api.get("/v1/notifications", api.token);
  REQUIRE(told.size("/notifications") == 2);
  CHECK(told.text("/notifications/0/type") == "mention");
  CHECK(told.text("/notifications/1/type") == "mention");
}

}  // namespace chirp::test
