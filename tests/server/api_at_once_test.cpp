// Goal: what is answered at once is what would be answered otherwise, and what would take a look at
// a store is handed over. Method: the API without sockets over stores in memory, asked in both
// ways.
#include <optional>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/api_client.h"
#include "tests/support/remembering_app.h"

namespace chirp::test {
namespace {

using http::Method;

constexpr const char* kFeed = "/v1/feed";

// Mira follows Tomas, who has posted.
struct Remembered {
  Remembered() {
    REQUIRE(api.ask(Method::kPost, "/v1/users/@tomas/follow", {.token = token}).status() < 300);
    post("The ferry is late again");
  }

  void post(const std::string& text) {
    const std::string body = fmt::format(R"({{"content":"{}"}})", text);
    REQUIRE(api.post("/v1/posts", tomas, body).status() == 201);
  }
  [[nodiscard]] http::Request get(std::string_view target) const {
    return request_for(Method::kGet, target, {.token = token});
  }
  std::optional<http::Response> at_once(std::string_view target) {
    http::Request request = get(target);
    return app.ask_at_once(request);
  }
  void read(std::string_view target) { CHECK(app.ask(get(target)).status == 200); }
  // Asked at once it is the same as otherwise; `counted`, since that is done once.
  void check_same(http::Request request, int status) {
    INFO(request.path << " " << request.query.size());
    const auto at_once = app.ask_at_once(request);
    REQUIRE(at_once);
    request.counted = true;
    const http::Response otherwise = app.ask(request);
    CHECK(at_once->status == status);
    CHECK(otherwise.status == status);
    CHECK(at_once->type == otherwise.type);
    CHECK(at_once->body == otherwise.body);
    CHECK(at_once->holder == otherwise.holder);
    REQUIRE(at_once->headers.size() == otherwise.headers.size());
    for (std::size_t i = 0; i < otherwise.headers.size(); ++i) {
      CHECK(at_once->headers[i].name == otherwise.headers[i].name);
      CHECK(at_once->headers[i].value == otherwise.headers[i].value);
    }
  }

  ApiClient api;
  RememberingApp app{api};
  std::string token = api.token_of(api.add("mira"));
  std::string tomas = api.token_of(api.add("tomas"));
};

bool may_be_at_once(ApiClient& api, Method method, std::string_view target) {
  return api.app->admit(request_for(method, target)).may_be_at_once;
}

}  // namespace

TEST_CASE("api at once: reads of feeds are tried, and nothing else") {
  ApiClient api;
  CHECK(may_be_at_once(api, Method::kGet, kFeed));
  CHECK(may_be_at_once(api, Method::kHead, "/v1/feed?limit=5"));
  CHECK_FALSE(may_be_at_once(api, Method::kPost, kFeed));
  CHECK_FALSE(may_be_at_once(api, Method::kPost, "/v1/feed/refresh"));
  CHECK_FALSE(may_be_at_once(api, Method::kGet, "/v1/trends"));
  CHECK_FALSE(may_be_at_once(api, Method::kPost, "/v1/posts"));
  CHECK_FALSE(may_be_at_once(api, Method::kGet, "/v1/stream"));
  CHECK_FALSE(may_be_at_once(api, Method::kGet, "/nowhere"));
}

TEST_CASE("api at once: an answer is the same as otherwise") {
  Remembered world;
  for (int i = 0; i < 30; ++i) world.post(fmt::format("Post number {}", i));
  world.read("/v1/feed?limit=25");
  for (const char* target : {"/v1/feed", "/v1/feed?limit=3", "/v1/feed?explain=true",
                             "/v1/feed?limit=2&explain=true", "/v1/feed?algorithm=chronological"}) {
    world.check_same(world.get(target), 200);
  }
  // What is wrong with it is said at once, too.
  for (const char* target : {"/v1/feed?limit=0", "/v1/feed?cursor=1&after=1", "/v1/feed?after=x",
                             "/v1/feed?algorithm=best", "/v1/feed?limit=1&limit=2"}) {
    world.check_same(world.get(target), 400);
  }
  world.check_same(world.get("/v1/feed?userId=1"), 403);
  http::Request foreign = world.get(kFeed);
  foreign.headers.push_back({"origin", "https://elsewhere.example"});
  world.check_same(foreign, 200);
}

TEST_CASE("api at once: a request without a valid token is refused as on other lanes") {
  Remembered world;
  world.read(kFeed);
  world.check_same(request_for(Method::kGet, kFeed), 401);
  http::Request broken = request_for(Method::kGet, kFeed);
  broken.headers.push_back({"authorization", "Basic bWlyYQ=="});
  world.check_same(broken, 401);
  // A token that nobody is known by may have been made just now.
  http::Request unknown = request_for(Method::kGet, kFeed, {.token = "nonsense"});
  CHECK_FALSE(world.app.ask_at_once(unknown));
  CHECK(world.app.ask(unknown).status == 401);
}

TEST_CASE("api at once: what has to be looked up is handed over") {
  Remembered world;
  CHECK_FALSE(world.at_once(kFeed));
  world.read(kFeed);
  CHECK(world.at_once(kFeed));
  // Something has been written.
  world.post("First frost on the allotment this morning");
  CHECK_FALSE(world.at_once(kFeed));
  world.read(kFeed);
  const auto fresh = world.at_once(kFeed);
  REQUIRE(fresh);
  CHECK(fresh->body.find("First frost") != std::string::npos);
  // The store is asked for what memory does not keep.
  CHECK_FALSE(world.at_once("/v1/feed?algorithm=ranked"));
  // A token that has gone is not known any more.
  world.api.engine.tokens().revoke_this(world.token);
  CHECK_FALSE(world.at_once(kFeed));
  CHECK(world.app.ask(world.get(kFeed)).status == 401);
}

TEST_CASE("api at once: nothing that is asked while sockets are watched looks at the store") {
  Remembered world;
  world.read(kFeed);
  const std::size_t looks = world.app.looks();
  http::App& app = world.app.app();
  CHECK(world.at_once(kFeed));
  for (int i = 0; i < 3; ++i) {
    CHECK(app.admit(world.get(kFeed)).may_be_at_once);
    CHECK(app.connections_of("192.0.2.7"));
    (void)world.at_once("/v1/feed?limit=100");
    world.post("Whatever is written meanwhile");
    CHECK_FALSE(world.at_once(kFeed));
  }
  CHECK(world.app.looks() == looks);
}

TEST_CASE("api at once: which hosts are answered for is what is set when a request is answered") {
  Remembered world;
  http::Request request = world.get(kFeed);
  request.hosts = {"localhost", "chirp.example"};
  const auto status = [&] {
    http::Request asked = request;
    const auto quick = world.app.ask_at_once(asked);
    return quick ? quick->status : world.app.ask(asked).status;
  };
  // Once by a worker, once at once.
  const auto twice = [&] { return fmt::format("{} {}", status(), status()); };
  world.api.set("http.hosts", "other.example");
  CHECK(twice() == "421 421");
  world.api.set("http.hosts", "other.example,chirp.example");
  CHECK(twice() == "200 200");
  world.api.set("http.hosts", "other.example");
  CHECK(twice() == "421 421");
  request.hosts = {"localhost"};
  CHECK(twice() == "200 200");
}

TEST_CASE("api at once: a request that is handed over is counted once, and refused at once") {
  Remembered world;
  world.api.set("http.rate_limit", "3");
  world.read(kFeed);
  http::Request request = world.get("/v1/feed?algorithm=ranked");
  CHECK_FALSE(world.app.ask_at_once(request));
  CHECK(request.counted);
  CHECK(Answer(world.app.ask(request)).header("RateLimit-Remaining") == "1");
  CHECK(Answer(*world.at_once(kFeed)).header("RateLimit-Remaining") == "0");
  const Answer refused(*world.at_once(kFeed));
  CHECK(refused.status() == 429);
  CHECK(refused.header("Retry-After"));
}

}  // namespace chirp::test
