// Goal: whatever is asked, every answer has the manners of the contract: who may ask, how often,
// from which pages, and what may be kept of it; errors name none of the server's files.
// Method: the App over the stores in memory, a clock that the test moves, requests made by hand.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/rules/writing.h"
#include "server/api/problem.h"
#include "server/limits.h"
#include "tests/support/api_client.h"

namespace chirp::test {
namespace {

using http::Method;

std::string listed(const Answer& answer) {
  std::string names;
  for (const http::Pair& header : answer.response().headers) names += header.name + "\n";
  return names;
}

Asking from_page(std::string origin, std::vector<http::Pair> more = {}) {
  Asking asking;
  asking.headers = std::move(more);
  asking.headers.push_back({"origin", std::move(origin)});
  return asking;
}

}  // namespace

TEST_CASE("api manners: every answer says what is left, and is what it says") {
  ApiClient api;
  const User mira = api.add("mira");
  const std::string token = api.token_of(mira);
  http::Refusal refusal;
  refusal.status = 431;
  refusal.detail = "The head is too long.";
  refusal.address = "192.0.2.1";
  std::vector<Answer> answers{api.get("/healthz"),
                              api.get("/metrics"),
                              api.get("/v1/openapi.yaml"),
                              api.get("/v1/users/@mira"),
                              api.get("/v1/users/@nobody"),
                              api.get("/v1/users/me", token),
                              api.get("/v1/users/me", "wrong"),
                              api.get("/v1/users/me"),
                              api.get("/no/such/place"),
                              api.post("/v1/users/@mira", token),
                              api.post("/v1/users", "", "{"),
                              api.ask(Method::kOptions, "/v1/users"),
                              api.remove("/v1/sessions/current", token),
                              Answer(api.app->refuse(refusal))};
  for (const Answer& answer : answers) {
    CAPTURE(answer.status());
    CAPTURE(answer.body());
    const std::string known = answer.header("RateLimit-Limit").value_or("");
    CHECK((known == "120" || known == "600"));
    CHECK(answer.header("RateLimit-Remaining"));
    CHECK(answer.header("RateLimit-Reset") == "60");
    CHECK(answer.header("X-Content-Type-Options") == "nosniff");
    CHECK(answer.header("Cache-Control"));
    CHECK(listed(answer).find("Access-Control") == std::string::npos);
    if (answer.status() < 400) continue;
    CHECK(answer.response().type == "application/problem+json");
    CHECK(answer.text("/type") == "urn:chirp:problem:" + answer.code());
    CHECK(answer.number("/status") == answer.status());
    CHECK_FALSE(answer.text("/title").empty());
    CHECK_FALSE(answer.text("/detail").empty());
    CHECK(answer.header("Cache-Control") == "no-store");
  }
}

TEST_CASE("api manners: a page of another origin changes nothing unless it is listed") {
  ApiClient api;
  const User mira = api.add("mira");
  const std::string token = api.token_of(mira);
  const auto edit = [&](const std::string& origin) {
    Asking asking = from_page(origin);
    asking.token = token;
    asking.body = R"({"bio":"x"})";
    return api.ask(Method::kPatch, "/v1/users/me", asking);
  };
  CHECK(edit("http://chirp.example").status() == 200);
  CHECK(edit("https://CHIRP.example").status() == 200);
  for (const char* origin : {"https://evil.example", "null", "http://chirp.example:81",
                             "http://chirp.example.evil", "chirp.example", ""}) {
    CAPTURE(origin);
    const Answer refused = edit(origin);
    CHECK(refused.status() == 403);
    CHECK(refused.code() == "forbidden");
    // So that an operator whose proxy sends another Host knows what to set.
    CHECK(refused.text("/detail").find("chirp.example") != std::string::npos);
    CHECK(refused.text("/detail").find("http.cors_origins") != std::string::npos);
    CHECK(refused.text("/detail").find("proxy_set_header Host") != std::string::npos);
    CHECK(listed(refused).find("Access-Control") == std::string::npos);
    CHECK(listed(refused).find("Vary") == std::string::npos);
    CHECK(api.ask(Method::kGet, "/v1/users/@mira", from_page(origin)).status() == 200);
  }
  api.set("http.cors_origins", "https://pages.example");
  const Answer allowed = edit("https://Pages.example");
  CHECK(allowed.status() == 200);
  CHECK(allowed.header("Access-Control-Allow-Origin") == "https://pages.example");
  CHECK(allowed.header("Vary") == "Origin");
  const std::string exposed = allowed.header("Access-Control-Expose-Headers").value_or("");
  for (const char* name : {"RateLimit-Remaining", "Retry-After", "ETag", "Location"}) {
    CHECK(exposed.find(name) != std::string::npos);
  }
  CHECK(edit("https://evil.example").status() == 403);
  CHECK(edit("https://evil.example").header("Vary") == "Origin");
  CHECK_FALSE(edit("https://evil.example").header("Access-Control-Allow-Origin"));
  CHECK_FALSE(allowed.header("Access-Control-Allow-Credentials"));
}

TEST_CASE("api manners: JSON is read as UTF-8, and what says another charset is refused") {
  ApiClient api;
  const std::string token = api.token_of(api.add("mira"));
  const auto sent_as = [&](const std::string& type) {
    Asking asking{.token = token, .body = R"({"bio":"x"})", .type = type};
    return api.ask(Method::kPatch, "/v1/users/me", asking).status();
  };
  for (const char* good : {"application/json; charset=utf-8", "application/json;charset=\"UTF-8\"",
                           "application/json; profile=a; charset=us-ascii", "application/json;"}) {
    CAPTURE(good);
    CHECK(sent_as(good) == 200);
  }
  for (const char* bad : {"application/json; charset=iso-8859-1", "application/json;CHARSET=utf-16",
                          "application/json; a=b; charset=\"windows-1252\""}) {
    CAPTURE(bad);
    CHECK(sent_as(bad) == 415);
  }
}

TEST_CASE("api manners: a preflight request is answered for the origins that are listed") {
  ApiClient api;
  const std::vector<http::Pair> ahead{{"access-control-request-method", "PATCH"}};
  const auto options = [&](const Asking& asking) {
    return api.ask(Method::kOptions, "/v1/users/me", asking);
  };
  CHECK(options(from_page("https://pages.example", ahead)).status() == 405);
  api.set("http.cors_origins", "https://pages.example");
  const Answer told = options(from_page("https://pages.example", ahead));
  CHECK(told.status() == 204);
  CHECK(told.body().empty());
  CHECK(told.header("Access-Control-Allow-Origin") == "https://pages.example");
  CHECK(told.header("Access-Control-Allow-Methods") == "GET, HEAD, PATCH, DELETE");
  CHECK(told.header("Access-Control-Allow-Headers")->find("Authorization") != std::string::npos);
  CHECK(told.header("Access-Control-Max-Age"));
  CHECK(options(from_page("https://evil.example", ahead)).status() == 405);
  CHECK(options(from_page("https://pages.example")).status() == 405);
  CHECK(api.ask(Method::kOptions, "/nowhere", from_page("https://pages.example", ahead)).status() ==
        404);
}

TEST_CASE("api manners: what is not there is not found, and what is there says what it takes") {
  ApiClient api;
  for (const char* path : {"/v1", "/v1/", "/v1/users/", "/v2/users", "/v1//users", "/healthz/",
                           "/HEALTHZ", "/v1/users/@mira/", "/%2e%2e/etc/passwd", "/v1/users%2f"}) {
    CAPTURE(path);
    CHECK(api.get(path).status() == 404);
    CHECK(api.post(path, "", "{}").status() == 404);
  }
  const Answer wrong = api.remove("/v1/users", "");
  CHECK(wrong.status() == 405);
  CHECK(wrong.code() == "invalid_argument");
  CHECK(wrong.header("Allow") == "GET, HEAD, POST");
  CHECK(api.put("/v1/sessions", "").header("Allow") == "GET, HEAD, POST, DELETE");
  CHECK(api.get("/v1/sessions/current").header("Allow") == "DELETE");
  CHECK(api.ask(Method::kHead, "/v1/sessions/current").status() == 405);
  CHECK(api.ask(Method::kHead, "/healthz").status() == 200);
}

TEST_CASE("api manners: what may be kept depends on who asks for what") {
  ApiClient api;
  const User mira = api.add("mira");
  const std::string token = api.token_of(mira);
  CHECK(api.get("/v1/users/me", token).header("Cache-Control") == "no-store");
  CHECK(api.get("/v1/users/@mira", token).header("Cache-Control") == "private, no-cache");
  CHECK(api.get("/v1/users/@mira").header("Cache-Control") == "no-cache");
  CHECK(api.get("/v1/users").header("Cache-Control") == "no-cache");
  CHECK(api.get("/healthz", token).header("Cache-Control") == "no-cache");
  CHECK(api.get("/healthz").header("Request-Id") == "r1");
  CHECK(api.get("/nowhere").header("Request-Id") == "r1");
  CHECK(
      api.post("/v1/sessions", "", R"({"username":"a","password":"b"})").header("Cache-Control") ==
      "no-store");
}

TEST_CASE("api manners: an answer that has not changed is not sent again") {
  ApiClient api;
  const User mira = api.add("mira");
  const std::string token = api.token_of(mira);
  for (const char* path : {"/v1/users/@mira", "/v1/users/me", "/v1/openapi.yaml"}) {
    CAPTURE(path);
    const std::string tag = *api.get(path, token).header("ETag");
    CHECK(tag.starts_with("W/\""));
    const auto holding = [&](const std::string& held) {
      return api.ask(Method::kGet, path, {.token = token, .headers = {{"if-none-match", held}}});
    };
    for (const std::string& held : {tag, tag.substr(2), "\"other\", " + tag, std::string("*"),
                                    "\"a\" ,\t" + tag + ",\"b\""}) {
      CAPTURE(held);
      const Answer same = holding(held);
      CHECK(same.status() == 304);
      CHECK(same.body().empty());
      CHECK(same.response().type.empty());
      CHECK(same.header("Vary") == "Accept-Encoding");
      CHECK(same.header("ETag") == tag);
      CHECK(same.header("Cache-Control") == api.get(path, token).header("Cache-Control"));
    }
    CHECK(holding("W/\"other\"").status() == 200);
    CHECK(holding("").status() == 200);
  }
  const std::string before = *api.get("/v1/users/@mira").header("ETag");
  CHECK(api.patch("/v1/users/me", token, R"({"bio":"new"})").status() == 200);
  CHECK(*api.get("/v1/users/@mira").header("ETag") != before);
}

TEST_CASE("api manners: a body is JSON and is said to be") {
  ApiClient api;
  const User mira = api.add("mira");
  const std::string token = api.token_of(mira);
  const auto send = [&](const std::string& type, const std::string& body) {
    return api.ask(Method::kPatch, "/v1/users/me", {.token = token, .body = body, .type = type});
  };
  for (const char* type : {"application/json", "Application/JSON",
                           "application/json; charset=utf-8", "application/json ;x=y"}) {
    CHECK(send(type, "{}").status() == 200);
  }
  for (const char* type :
       {"text/plain", "application/jsonp", "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x", "json", "", "application/problem+json"}) {
    CAPTURE(type);
    const Answer refused = send(type, "{}");
    CHECK(refused.status() == 415);
    CHECK(refused.code() == "unsupported_media_type");
  }
  for (const char* body : {"", " ", "[]", "{", R"({"bio":"a","bio":"b"})"}) {
    CHECK(send("application/json", body).status() == 400);
  }
  // An operation without a body accepts one, unless it has another type.
  CHECK(api.ask(Method::kDelete, "/v1/sessions/current",
                {.token = token, .body = "x", .type = "text/plain"})
            .status() == 415);
  CHECK(api.ask(Method::kDelete, "/v1/sessions/current", {.token = token, .body = "{}"}).status() ==
        204);
}

TEST_CASE("api manners: internal errors are not shown to clients") {
  ApiClient api;
  api.app = api::make_app({.engine = api.engine,
                           .callers = api.callers,
                           .hub = api.hub,
                           .metrics = api.metrics,
                           .log = api.log,
                           .version = "1",
                           .healthy = []() -> bool { throw std::runtime_error("secret place"); }});
  const Answer fault = api.get("/healthz");
  CHECK(fault.status() == 500);
  CHECK(fault.code() == "internal");
  CHECK(fault.body().find("secret") == std::string::npos);
  CHECK(fault.header("RateLimit-Limit") == "120");
  api.app = api::make_app({.engine = api.engine,
                           .callers = api.callers,
                           .hub = api.hub,
                           .metrics = api.metrics,
                           .log = api.log,
                           .version = "1",
                           .healthy = []() -> bool { throw 5; }});
  CHECK(api.get("/healthz").status() == 500);
}

TEST_CASE("api manners: settings that can't be read leaves those of before in force") {
  ApiClient api;
  api.set("http.rate_limit_anonymous", "7");
  CHECK(api.get("/healthz").header("RateLimit-Limit") == "7");
  rules::set_plain(api.storage, "http.rate_limit_anonymous", "nonsense");
  api.clock.advance(limits::kSettingsLookMs);
  CHECK(api.get("/healthz").header("RateLimit-Limit") == "7");
}

TEST_CASE("api manners: before a body is read, the operation says how much it takes") {
  ApiClient api;
  const auto admission = [&](Method method, const char* target) {
    return api.app->admit(request_for(method, target));
  };
  CHECK(admission(Method::kGet, "/v1/users/me").body_max == 0);
  CHECK(admission(Method::kHead, "/v1/users/me").body_max == 0);
  CHECK(admission(Method::kPatch, "/v1/users/me").body_max == limits::kJsonBodyMax);
  CHECK(admission(Method::kPost, "/nowhere").body_max == limits::kJsonBodyMax);
  const http::Admission upload = admission(Method::kPost, "/v1/media");
  CHECK(upload.body_max == (8u << 20) + limits::kFormBytesMax);
  CHECK(upload.types.find("multipart/form-data") != std::string::npos);
  CHECK(admission(Method::kPost, "/v1/users").lane == http::Lane::kPassword);
  CHECK(admission(Method::kPost, "/v1/sessions").lane == http::Lane::kPassword);
  CHECK(admission(Method::kDelete, "/v1/users/me").lane == http::Lane::kPassword);
  // A bio waits for no password.
  CHECK(admission(Method::kPatch, "/v1/users/me").lane == http::Lane::kWrite);
  CHECK(admission(Method::kGet, "/v1/users/me").lane == http::Lane::kRead);
  CHECK(upload.lane == http::Lane::kWrite);
}

TEST_CASE("api manners: what breaks HTTP itself gets a problem of its status") {
  ApiClient api;
  for (const auto& [status, code] :
       std::vector<std::pair<int, std::string>>{{400, "invalid_argument"},
                                                {408, "invalid_argument"},
                                                {501, "invalid_argument"},
                                                {413, "payload_too_large"},
                                                {414, "invalid_argument"},
                                                {415, "unsupported_media_type"},
                                                {421, "invalid_argument"},
                                                {431, "invalid_argument"},
                                                {503, "unavailable"}}) {
    http::Refusal refusal;
    refusal.status = status;
    refusal.detail = "It is so.";
    refusal.address = "192.0.2.1";
    const Answer answer(api.app->refuse(refusal));
    CHECK(answer.status() == status);
    CHECK(answer.code() == code);
    CHECK(answer.text("/detail") == "It is so.");
    CHECK(answer.header("Retry-After").has_value() == (status == 503));
    CHECK_FALSE(answer.header("Allow"));
  }
}

TEST_CASE("api manners: a method that nothing takes is refused with those that the address takes") {
  ApiClient api;
  Answer answer = api.ask(Method::kOther, "/v1/media");
  CHECK(answer.status() == 405);
  CHECK(answer.code() == "invalid_argument");
  CHECK(answer.header("Allow") == "POST");
  CHECK(api.ask(Method::kOther, "/").header("Allow") == "GET, HEAD");
  CHECK(api.ask(Method::kOther, "/v1/nowhere").status() == 404);
}

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

TEST_CASE("api problem: an answer says when a client has to look before it tries again") {
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
