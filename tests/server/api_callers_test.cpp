// Goal: who asks is known by a token or an address, and may ask so often and no more.
// Method: the App over the stores in memory, a clock that the test moves, requests made by hand.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "server/api/client.h"
#include "server/api/rate_limits.h"
#include "server/limits.h"
#include "tests/support/api_client.h"

namespace chirp::test {
namespace {

using http::Method;

}  // namespace

TEST_CASE("api callers: a token is looked at where it counts, and a bad one is always refused") {
  ApiClient api;
  const User mira = api.add("mira");
  const std::string token = api.token_of(mira);
  const char* const absent = R"(Bearer realm="chirp")";
  const char* const invalid = R"(Bearer realm="chirp", error="invalid_token")";
  CHECK(api.get("/v1/users/me", token).status() == 200);
  CHECK(api.get("/v1/users/@mira", token).status() == 200);
  CHECK(api.get("/healthz", token).status() == 200);
  Answer answer = api.get("/v1/users/me");
  CHECK(answer.status() == 401);
  CHECK(answer.code() == "unauthenticated");
  CHECK(answer.header("WWW-Authenticate") == absent);
  for (const char* path : {"/v1/users/me", "/v1/users/@mira", "/v1/users"}) {
    answer = api.get(path, "wrong");
    CHECK(answer.status() == 401);
    CHECK(answer.header("WWW-Authenticate") == invalid);
  }
  CHECK(api.get("/healthz", "wrong").status() == 200);
  CHECK(api.get("/v1/openapi.yaml", "wrong").status() == 200);
  const auto with = [&](std::vector<http::Pair> headers) {
    Asking asking;
    asking.headers = std::move(headers);
    return api.ask(Method::kGet, "/v1/users/@mira", asking).status();
  };
  CHECK(with({{"authorization", "bearer " + token}}) == 200);
  CHECK(with({{"authorization", "BEARER " + token}}) == 200);
  CHECK(with({{"authorization", "Basic " + token}}) == 401);
  CHECK(with({{"authorization", "Bearer"}}) == 401);
  CHECK(with({{"authorization", "Bearer "}}) == 401);
  CHECK(with({{"authorization", ""}}) == 401);
  CHECK(with({{"authorization", "Bearer " + token + " "}}) == 401);
  CHECK(with({{"authorization", "Bearer " + token + "," + token}}) == 401);
  CHECK(with({{"authorization", "Bearer " + std::string(100'000, 'a')}}) == 401);
  CHECK(with({{"authorization", "Bearer " + token}, {"authorization", "Bearer x"}}) == 401);
}

TEST_CASE("api callers: a token expires, and goes with its account") {
  ApiClient api;
  const User mira = api.add("mira");
  const std::string token =
      api.engine.tokens().mint(api.engine.accounts().resolve("mira"), 1000).token;
  const std::string lasting = api.token_of(mira);
  CHECK(api.get("/v1/users/me", token).status() == 200);
  api.clock.advance(1000);
  CHECK(api.get("/v1/users/me", token).status() == 401);
  api.engine.accounts().remove(api.engine.accounts().resolve("mira"));
  CHECK(api.get("/v1/users/me", lasting).status() == 401);
}

TEST_CASE("api callers: a client has so many requests a minute, counted by account or address") {
  ApiClient api;
  const User mira = api.add("mira");
  const std::string token = api.token_of(mira);
  api.set("http.rate_limit", "3");
  api.set("http.rate_limit_anonymous", "2");
  api.clock.advance(limits::kRateWindowMs);
  const auto open = [&](const std::string& address) {
    return api.ask(Method::kGet, "/v1/users/@mira", {.address = address});
  };
  CHECK(open("192.0.2.7").header("RateLimit-Remaining") == "1");
  CHECK(open("192.0.2.7").header("RateLimit-Remaining") == "0");
  const Answer refused = open("192.0.2.7");
  CHECK(refused.status() == 429);
  CHECK(refused.code() == "rate_limited");
  CHECK(refused.header("RateLimit-Limit") == "2");
  CHECK(refused.header("RateLimit-Remaining") == "0");
  CHECK(refused.header("Retry-After") == refused.header("RateLimit-Reset"));
  CHECK(open("192.0.2.8").status() == 200);
  // A bad token counts for the address, so that guessing is held back too.
  Asking guess{.token = "wrong", .address = "192.0.2.8"};
  CHECK(api.ask(Method::kGet, "/v1/users/me", guess).status() == 401);
  CHECK(api.ask(Method::kGet, "/v1/users/me", guess).status() == 429);
  // An account is counted by itself, from wherever it comes and with whichever of its tokens.
  const std::string second = api.token_of(mira);
  for (const auto& [address, sent] :
       {std::pair{"192.0.2.7", token}, {"192.0.2.8", second}, {"192.0.2.9", token}}) {
    CHECK(api.ask(Method::kGet, "/v1/users/me", {.token = sent, .address = address}).status() ==
          200);
  }
  CHECK(api.get("/v1/users/me", token).status() == 429);
  CHECK(api.get("/v1/users/me", second).status() == 429);
  CHECK(api.get("/v1/users/me", api.token_of(mira)).status() == 429);
  CHECK(api.get("/v1/users/@mira", token).status() == 429);
  // Also where nobody needs one: then a bad one is the address's, and no reason to refuse.
  const auto health = [&](const std::string& sent) {
    return api.ask(Method::kGet, "/metrics", {.token = sent, .address = "192.0.2.9"}).status();
  };
  CHECK(health(token) == 429);
  CHECK(health("wrong") == 200);
  CHECK(api.ask(Method::kGet, "/nowhere", {.address = "192.0.2.9"}).status() == 404);
  CHECK(health("wrong") == 429);
  CHECK(api.ask(Method::kGet, "/nowhere", {.address = "192.0.2.9"}).status() == 429);
  // A network of IPv6 is one client.
  CHECK(open("2001:db8::1").status() == 200);
  CHECK(open("2001:db8::2").status() == 200);
  CHECK(open("2001:db8::3").status() == 429);
  CHECK(open("2001:db8:0:1::1").status() == 200);
  api.clock.advance(limits::kRateWindowMs - 1);
  CHECK(open("192.0.2.7").status() == 200);
  CHECK(api.get("/v1/users/me", token).status() == 200);
}

TEST_CASE("api callers: a request of its own minute tells how long that lasts") {
  ApiClient api;
  CHECK(api.get("/healthz").header("RateLimit-Reset") == "60");
  api.clock.advance(1);
  CHECK(api.get("/healthz").header("RateLimit-Reset") == "60");
  api.clock.advance(999);
  CHECK(api.get("/healthz").header("RateLimit-Reset") == "59");
  api.clock.advance(58'999);
  CHECK(api.get("/healthz").header("RateLimit-Reset") == "1");
  api.clock.advance(1);
  CHECK(api.get("/healthz").header("RateLimit-Remaining") == "119");
}

TEST_CASE("api callers: clients are counted in bounded room, and strangers past it still are") {
  StillClock clock;
  api::RateLimits rates(clock);
  for (std::size_t i = 0; i < limits::kRateClientsMax + 50'000; ++i) {
    CHECK(rates.take("client " + std::to_string(i), 1'000'000).granted);
  }
  // Whoever was counted one by one still is.
  CHECK(rates.take("client 0", 2).remaining == 0);
  int granted = 0;
  while (granted < 1'000 && rates.take("late", 60).granted) ++granted;
  CHECK(granted >= 60);
  CHECK(granted <= 120);
  clock.advance(limits::kRateWindowMs);
  CHECK(rates.take("late 1", 1).granted);
  CHECK_FALSE(rates.take("late 1", 1).granted);
}

// The attack: 32 times as many addresses as are counted one by one. The oracle counts each by
// itself.
TEST_CASE("api callers: a flood of addresses shuts hardly anybody out") {
  constexpr std::uint32_t kAttackers = 4'194'304;
  constexpr std::uint32_t kHonest = 1'000;
  for (const std::uint64_t limit : {2U, 10U, 120U, 600U}) {
    CAPTURE(limit);
    StillClock clock;
    api::RateLimits rates(clock);
    const auto address = [](char kind, std::uint32_t number) {
      std::string key(1, kind);
      for (int shift = 0; shift < 32; shift += 8) key += static_cast<char>(number >> shift);
      return key;
    };
    for (std::uint32_t i = 0; i < kAttackers; ++i) (void)rates.take(address('a', i), limit);
    std::uint32_t refused = 0;
    for (std::uint32_t i = 0; i < kHonest; ++i) {
      bool all = true;
      for (std::uint64_t n = 0; n < limit; ++n)
        all = rates.take(address('h', i), limit).granted && all;
      refused += all ? 0 : 1;
    }
    CHECK(refused * 20 <= kHonest);
    // The first have been counted one by one, the last have not.
    for (const std::uint32_t first : {std::uint32_t{0}, kAttackers - kHonest}) {
      for (std::uint32_t i = first; i < first + kHonest; ++i) {
        std::uint64_t granted = 1;
        while (granted <= 2 * limit && rates.take(address('a', i), limit).granted) ++granted;
        CHECK(granted <= 2 * limit);
      }
    }
  }
}

TEST_CASE("api callers: only a trusted proxy is believed about the client") {
  ApiClient api;
  const User mira = api.add("mira");
  api.set("http.rate_limit_anonymous", "1000000");
  const auto remaining = [&](const std::string& address, std::vector<http::Pair> headers) {
    Asking asking;
    asking.address = address;
    asking.headers = std::move(headers);
    return std::stoi(*api.ask(Method::kGet, "/healthz", asking).header("RateLimit-Remaining"));
  };
  const http::Pair said{"x-forwarded-for", "203.0.113.1"};
  const int before = remaining("10.0.0.1", {said});
  CHECK(remaining("10.0.0.1", {said}) == before - 1);
  CHECK(remaining("10.0.0.1", {}) == before - 2);
  api.set("http.trusted_proxies", "10.0.0.0/8");
  api.clock.advance(limits::kRateWindowMs);
  CHECK(remaining("10.0.0.1", {said}) == 999'999);
  CHECK(remaining("10.0.0.2", {said}) == 999'998);
  CHECK(remaining("203.0.113.1", {}) == 999'997);
  // What the client writes itself is on the left.
  CHECK(remaining("10.0.0.1", {{"x-forwarded-for", "198.51.100.9, 203.0.113.1"}}) == 999'996);
  CHECK(remaining("10.0.0.1", {{"x-forwarded-for", "198.51.100.9"}, said}) == 999'995);
  CHECK(remaining("10.0.0.1", {{"x-forwarded-for", "203.0.113.1, 10.9.9.9"}}) == 999'994);
  // What can't be read is a client of its own within that proxy, and who is not trusted is not
  // asked.
  CHECK(remaining("10.0.0.1", {{"x-forwarded-for", "203.0.113.1, unknown"}}) == 999'999);
  CHECK(remaining("10.0.0.1", {{"x-forwarded-for", "unknown"}}) == 999'998);
  CHECK(remaining("10.0.0.2", {{"x-forwarded-for", "unknown"}}) == 999'999);
  CHECK(remaining("10.0.0.1", {{"x-forwarded-for", "_hidden"}}) == 999'999);
  // Nor those whose proxy says nothing of them; a second header may.
  CHECK(remaining("10.0.0.1", {{"x-forwarded-for", ",,"}}) == 999'999);
  CHECK(remaining("10.0.0.1", {{"x-forwarded-for", ",,"}}) == 999'998);
  CHECK(remaining("10.0.0.1", {{"x-forwarded-for", ","}, said}) == 999'993);
  CHECK(remaining("10.0.0.1", {}) == 999'999);
  CHECK(remaining("198.51.100.1", {said}) == 999'999);
}

TEST_CASE("api callers: an address with a port, in brackets or in quotes is that address") {
  const std::vector<IpNetwork> trusted{*parse_network("10.0.0.0/8"), *parse_network("fd00::/8")};
  const auto said = [&](const std::string& value) {
    http::Head head;
    head.address = "10.0.0.1";
    head.headers = {{"x-forwarded-for", value}};
    return api::client_of(head, trusted);
  };
  for (const auto& [value, address] : std::vector<std::pair<std::string, std::string>>{
           {"192.0.2.7", "192.0.2.7"},
           {"192.0.2.7:40001", "192.0.2.7"},
           {"\"192.0.2.7\"", "192.0.2.7"},
           {"\"192.0.2.7:1\"", "192.0.2.7"},
           {"2001:db8::7", "2001:db8::7"},
           {"[2001:db8::7]", "2001:db8::7"},
           {"[2001:db8::7]:40001", "2001:db8::7"},
           {"\"[2001:db8::7]:40001\"", "2001:db8::7"},
           {"192.0.2.7:40001, 10.2.3.4:9", "192.0.2.7"},
           {"192.0.2.7, [fd00::1]:8080", "192.0.2.7"},
           {"unknown, 192.0.2.7:1", "192.0.2.7"}}) {
    CAPTURE(value);
    CHECK(said(value).address == address);
    CHECK(said(value).is_readable);
  }
  for (const auto& [value, name] : std::vector<std::pair<std::string, std::string>>{
           {"unknown", "10.0.0.1/unknown"},
           {"192.0.2.7:", "10.0.0.1/192.0.2.7:"},
           {"192.0.2.7:x", "10.0.0.1/192.0.2.7:x"},
           {"192.0.2.7:123456", "10.0.0.1/192.0.2.7:123456"},
           {"[192.0.2.7]:1", "10.0.0.1/[192.0.2.7]:1"},
           {"[2001:db8::7", "10.0.0.1/[2001:db8::7"},
           {"[2001:db8::7]40001", "10.0.0.1/[2001:db8::7]40001"},
           {"\"192.0.2.7", "10.0.0.1/\"192.0.2.7"},
           {"a b\tc", "10.0.0.1/a?b?c"},
           {"\xff", "10.0.0.1/?"},
           {"192.0.2.7, for=x, 10.2.3.4", "10.2.3.4/for=x"},
           {std::string(5'000, 'x'), "10.0.0.1/" + std::string(128, 'x')}}) {
    CAPTURE(value);
    CHECK(said(value).address == name);
    CHECK_FALSE(said(value).is_readable);
  }
}

}  // namespace chirp::test
