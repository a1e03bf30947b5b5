// Goal: nobody learns from a log-in who there is, and guessing passwords is slow, without keeping
// people out of where they usually are.
// Method: a hasher that counts how often it is asked; failures from chosen addresses; a clock that
// the test moves.
#include <string>
#include <utility>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "server/api/login_failures.h"
#include "server/api/problem.h"
#include "server/limits.h"
#include "tests/support/api_client.h"

namespace chirp::test {
namespace {

constexpr const char* kHome = "192.0.2.1";
constexpr const char* kAway = "198.51.100.1";

struct Logins : ApiClient {
  Logins() {
    for (const char* name : {"mira", "yuki"}) add(name, "right password");
    add("plain");
    set("http.rate_limit_anonymous", "1000000");
  }

  Answer try_body(const std::string& body, const std::string& address) {
    return ask(http::Method::kPost, "/v1/sessions", {.body = body, .address = address});
  }
  Answer attempt(const std::string& who, const std::string& password,
                 const std::string& address = kHome) {
    const char* const field = who.find('@') == std::string::npos ? "username" : "email";
    return try_body(fmt::format(R"({{"{}":"{}","password":"{}"}})", field, who, password), address);
  }
  void fail(const std::string& who, int times, const std::string& address) {
    for (int i = 0; i < times; ++i) CHECK(attempt(who, "wrong password", address).status() == 401);
  }
};

}  // namespace

TEST_CASE("api login: nothing distinguishes an unknown name from a wrong password") {
  Logins api;
  std::string first;
  for (const char* who : {"mira", "mira@example.org", "nobody", "nobody@example.org", "plain",
                          "not a name", "@mira", "''", "", "nul\\u0000"}) {
    CAPTURE(who);
    api.hasher.matched = api.hasher.hashed = 0;
    const Answer answer = api.attempt(
        who, "wrong password", "198.51.100." + std::to_string(std::hash<std::string>{}(who) % 200));
    CHECK(answer.status() == 401);
    CHECK(answer.header("WWW-Authenticate") == R"(Bearer realm="chirp")");
    CHECK(api.hasher.matched == 1);
    CHECK(api.hasher.hashed == 0);
    if (first.empty()) first = answer.body();
    CHECK(answer.body() == first);
  }
  api.engine.accounts().remove(api.engine.accounts().resolve("yuki"));
  CHECK(api.attempt("yuki", "right password").body() == first);
}

TEST_CASE("api login: a malformed log-in is not an attempt") {
  Logins api;
  for (const char* body :
       {"{}", R"({"password":"right password"})", R"({"username":"mira"})",
        R"({"username":"mira","email":"mira@example.org","password":"right password"})",
        R"({"username":1,"password":"right password"})",
        R"({"username":null,"password":"right password"})",
        R"({"username":"mira","password":null})"}) {
    CAPTURE(body);
    CHECK(api.try_body(body, kHome).status() == 422);
  }
  CHECK(api.hasher.matched == 0);
}

TEST_CASE("api login: after so many failures an account waits, for everybody not at home there") {
  Logins api;
  CHECK(api.attempt("mira", "right password", kHome).status() == 201);
  api.fail("mira", 5, kAway);
  api.fail("MIRA", 4, "198.51.100.2");
  CHECK(api.attempt("mira", "right password", "198.51.100.3").status() == 201);
  api.fail("mira", 1, "198.51.100.4");
  api.hasher.matched = 0;
  const Answer refused = api.attempt("mira", "right password", "198.51.100.5");
  CHECK(refused.status() == 429);
  CHECK(refused.code() == "rate_limited");
  CHECK(refused.header("Retry-After") == "900");
  CHECK(api.hasher.matched == 0);
  // Where somebody has logged in before, others' failures count for nothing.
  CHECK(api.attempt("mira", "right password", kHome).status() == 201);
  CHECK(api.attempt("mira", "right password", "198.51.100.3").status() == 201);
  CHECK(api.attempt("yuki", "right password", "198.51.100.5").status() == 201);
  api.clock.advance(limits::kLoginWindowMs - 1);
  CHECK(api.attempt("mira", "right password", "198.51.100.5").header("Retry-After") == "1");
  api.clock.advance(1);
  CHECK(api.attempt("mira", "right password", "198.51.100.5").status() == 201);
}

TEST_CASE("api login: an unknown account waits like one that is there") {
  Logins api;
  for (int i = 0; i < 10; ++i) {
    api.fail("nobody", 1, "198.51.100." + std::to_string(i));
  }
  CHECK(api.attempt("NOBODY", "right password", "198.51.100.99").status() == 429);
  CHECK(api.attempt("nobody2", "right password", "198.51.100.99").status() == 401);
}

TEST_CASE("api login: an address that fails too often waits, whomever it tries") {
  Logins api;
  CHECK(api.attempt("mira", "right password", kHome).status() == 201);
  for (int i = 0; i < 99; ++i) api.fail("guess" + std::to_string(i), 1, kHome);
  // One classroom is behind one address: what pupils mistype keeps nobody else out.
  CHECK(api.attempt("mira", "right password", kHome).status() == 201);
  api.fail("guess99", 1, kHome);
  CHECK(api.attempt("mira", "right password", kHome).status() == 429);
  CHECK(api.attempt("other", "right password", kHome).status() == 429);
  CHECK(api.attempt("mira", "right password", kAway).status() == 201);
  // A network of IPv6 is one client.
  for (int i = 0; i < 100; ++i) {
    api.fail("v6 " + std::to_string(i), 1, "2001:db8::" + std::to_string(i));
  }
  CHECK(api.attempt("yuki", "right password", "2001:db8::ff").status() == 429);
}

TEST_CASE("api login: guesses at the same time get no answer past the bound") {
  Logins api;
  api.hasher.meanwhile = [&] { api.fail("mira", 10, kAway); };
  CHECK(api.attempt("mira", "right password", kHome).status() == 429);
  api.hasher.meanwhile = [&] { api.fail("yuki", 9, "198.51.100.2"); };
  CHECK(api.attempt("yuki", "right password", kHome).status() == 201);
}

TEST_CASE("api login: the current password can't be guessed with a stolen token either") {
  Logins api;
  const std::string token = api.attempt("mira", "right password", kHome).text("/token");
  const auto change = [&](const std::string& current) {
    return api.ask(http::Method::kPatch, "/v1/users/me",
                   {.token = token,
                    .body = fmt::format(
                        R"({{"password":"another password","currentPassword":"{}"}})", current),
                    .address = kAway});
  };
  for (int i = 0; i < 10; ++i) CHECK(change("wrong password").status() == 403);
  CHECK(change("right password").status() == 429);
  CHECK(api.attempt("mira", "right password", kHome).status() == 201);
}

TEST_CASE("api login: the bound is the operator's") {
  Logins api;
  api.set("http.login_failures", "2");
  api.fail("mira", 2, kAway);
  CHECK(api.attempt("mira", "right password", kAway).status() == 429);
  api.set("http.login_failures", "3");
  CHECK(api.attempt("mira", "right password", kAway).status() == 201);
  api.set("http.login_failures_address", "2");
  CHECK(api.attempt("yuki", "right password", kAway).status() == 429);
  CHECK(api.attempt("yuki", "right password", kHome).status() == 201);
}

TEST_CASE("api login: a familiar address is held back by its own failures of a name") {
  Logins api;
  CHECK(api.attempt("mira", "right password", kHome).status() == 201);
  api.fail("mira", 10, kHome);
  CHECK(api.attempt("mira", "right password", kHome).status() == 429);
  CHECK(api.attempt("mira", "right password", kAway).status() == 201);
  CHECK(api.attempt("yuki", "right password", kHome).status() == 201);
}

TEST_CASE("api login: what an address has read does not keep anybody from logging in there") {
  Logins api;
  api.set("http.rate_limit_anonymous", "3");
  for (int i = 0; i < 4; ++i) (void)api.ask(http::Method::kGet, "/v1/users/@mira");
  CHECK(api.ask(http::Method::kGet, "/v1/users/@mira").status() == 429);
  const Answer first = api.attempt("mira", "right password", "192.0.2.1");
  CHECK(first.status() == 201);
  CHECK(first.header("RateLimit-Remaining") == "2");
  CHECK(api.attempt("mira", "right password", "192.0.2.1").status() == 201);
  CHECK(api.attempt("mira", "right password", "192.0.2.1").status() == 201);
  CHECK(api.attempt("mira", "right password", "192.0.2.1").status() == 429);
}

TEST_CASE("api login: having to wait does not reveal which address belongs to which name") {
  Logins api;
  const auto wrong = [&](const std::string& who, int from) {
    return api.attempt(who, "wrong password", "198.51.100." + std::to_string(from)).status();
  };
  // Failures by the name are none of the e-mail address, and the other way round; for somebody who
  // is not there it looks the same.
  for (const auto& [name, email] :
       {std::pair{"mira", "mira@example.org"}, std::pair{"nobody", "nobody@example.org"}}) {
    CAPTURE(name);
    for (int i = 0; i < 10; ++i) CHECK(wrong(name, i) == 401);
    CHECK(wrong(name, 10) == 429);
    for (int i = 11; i < 21; ++i) CHECK(wrong(email, i) == 401);
    CHECK(wrong(email, 21) == 429);
  }
  for (int i = 30; i < 40; ++i) CHECK(wrong("yuki@example.org", i) == 401);
  for (int i = 40; i < 50; ++i) CHECK(wrong("yuki", i) == 401);
  CHECK(wrong("yuki", 50) == 429);
}

TEST_CASE("api login: two names of an account allow no more guesses than one") {
  Logins api;
  CHECK(api.attempt("mira", "right password", kHome).status() == 201);
  for (int i = 0; i < 10; ++i) api.fail("mira@example.org", 1, "198.51.100." + std::to_string(i));
  // The right password looks like a wrong one, to the byte, and counts like one.
  const Answer wrong = api.attempt("mira", "wrong password", "198.51.100.20");
  const Answer right = api.attempt("mira", "right password", "198.51.100.21");
  CHECK(right.status() == 401);
  CHECK(right.body() == wrong.body());
  for (int i = 22; i < 30; ++i) {
    const std::string from = "198.51.100." + std::to_string(i);
    CHECK(api.attempt("mira", "right password", from).status() == 401);
  }
  CHECK(api.attempt("mira", "right password", "198.51.100.30").status() == 429);
  // Where somebody has logged in before, all this counts for nothing.
  CHECK(api.attempt("mira", "right password", kHome).status() == 201);
  api.clock.advance(limits::kLoginWindowMs);
  CHECK(api.attempt("mira", "right password", "198.51.100.30").status() == 201);
}

TEST_CASE("api login: a name longer than any is refused before a password is checked") {
  Logins api;
  const std::string longest(254, 'x');
  CHECK(api.attempt(longest, "wrong password").status() == 401);
  api.hasher.matched = 0;
  for (const std::string& name : {longest + "x", "x@" + std::string(60'000, 'y')}) {
    const Answer refused = api.attempt(name, "wrong password");
    CHECK(refused.status() == 422);
    CHECK(refused.code() == "invalid_argument");
  }
  CHECK(api.hasher.matched == 0);
}

TEST_CASE("api login: a password in another normal form is tried as typed too, whoever is meant") {
  Logins api;
  social::SignUp sign_up;
  sign_up.username = "zoe";
  sign_up.password = "Zoe\xcc\x88 is seven";
  api.engine.accounts().add(sign_up);
  const auto tried = [&](const std::string& who, const std::string& password) {
    api.hasher.matched = 0;
    const int status = api.attempt(who, password, "198.51.100.77").status();
    return std::pair{status, api.hasher.matched};
  };
  CHECK(tried("zoe", "Zoë is seven") == std::pair{201, 1});
  CHECK(tried("zoe", "Zoe\xcc\x88 is seven") == std::pair{201, 2});
  CHECK(tried("zoe", "Zoe\xcc\x88 is eight") == std::pair{401, 2});
  CHECK(tried("nobody", "Zoe\xcc\x88 is eight") == std::pair{401, 2});
  CHECK(tried("plain", "Zoe\xcc\x88 is eight") == std::pair{401, 2});
  CHECK(tried("nobody", "Zoë is eight") == std::pair{401, 1});
  // One that was kept as it was typed.
  const User zoe = *api.engine.accounts().find_name("zoe");
  UserEdit edit;
  edit.password_hash = "hash of Zoe\xcc\x88 is old";
  api.directory.edit(zoe.number, edit);
  CHECK(tried("zoe", "Zoe\xcc\x88 is old") == std::pair{201, 2});
}

TEST_CASE("api login: what is remembered of failures is of fixed size, and none is forgotten") {
  StillClock clock;
  constexpr std::size_t kBuckets = 16;
  api::LoginFailures failures(clock, kBuckets);
  const auto waits = [&](const std::string& typed, const std::string& address) {
    try {
      failures.check({typed, std::nullopt, address}, {1, 1});
    } catch (const api::Problem&) {
      return true;
    }
    return false;
  };
  failures.failed({"first", std::nullopt, "first"});
  CHECK(waits("first", "other"));
  CHECK(waits("other", "first"));
  CHECK_FALSE(waits("other", "other"));
  for (std::size_t i = 0; i < 100 * kBuckets; ++i) {
    failures.failed({"name " + std::to_string(i), std::nullopt, "address " + std::to_string(i)});
  }
  CHECK(waits("first", "x"));
  CHECK(waits("x", "first"));
  for (std::size_t i = 0; i < 100 * kBuckets; ++i) {
    REQUIRE(waits("name " + std::to_string(i), "x"));
  }
  clock.advance(limits::kLoginWindowMs);
  CHECK_FALSE(waits("first", "first"));
}

TEST_CASE("api login: where somebody has logged in is forgotten once it is longest ago") {
  StillClock clock;
  api::LoginFailures failures(clock);
  const auto waits = [&](const std::string& address) {
    try {
      failures.check({"me", std::nullopt, address}, {1, 1});
    } catch (const api::Problem&) {
      return true;
    }
    return false;
  };
  failures.succeeded({"me", std::nullopt, "home"});
  failures.failed({"me", std::nullopt, "away"});
  CHECK_FALSE(waits("home"));
  for (std::size_t i = 0; i < limits::kFamiliarMax; ++i) {
    failures.succeeded({"me", std::nullopt, "address " + std::to_string(i)});
  }
  CHECK(waits("home"));
}

}  // namespace chirp::test
