// Goal: the server says whether it can serve, by what contract, and what it measures.
// Method: the App over the stores in memory, set to be healthy or not.
#include <doctest/doctest.h>

#include "server/http/answer_writer.h"
#include "server/web/assets.h"
#include "tests/support/api_client.h"
#include "tests/support/source_tree.h"

namespace chirp::test {

TEST_CASE("api service: health says the version, since when, and what is pending") {
  ApiClient api;
  api.clock.advance(5000);
  Answer health = api.get("/healthz");
  CHECK(health.status() == 200);
  CHECK(health.text("/status") == "ok");
  CHECK(health.text("/version") == "1.2.3");
  CHECK(health.text("/startedAt") == "2026-01-01T00:00:00.000Z");
  CHECK(health.number("/pendingEvents") == 0);
  api.add("mira");
  (void)api.engine.posts().publish(api.engine.accounts().resolve("mira"), "hello");
  CHECK(api.get("/healthz").number("/pendingEvents") >= 1);
  api.drain();
  CHECK(api.get("/healthz").number("/pendingEvents") == 0);
  api.healthy = false;
  health = api.get("/healthz");
  CHECK(health.status() == 503);
  CHECK(health.code() == "unavailable");
  CHECK(health.header("Retry-After"));
}

TEST_CASE("api service: the contract is the document of this version") {
  ApiClient api;
  const Answer contract = api.get("/v1/openapi.yaml");
  CHECK(contract.status() == 200);
  CHECK(contract.response().type == "application/yaml");
  CHECK(contract.body() == source_file("docs/openapi.yaml").text);
}

TEST_CASE("api service: the page is served with all its files, and costs nobody a request") {
  ApiClient api;
  for (const web::Asset& asset : web::assets()) {
    CAPTURE(asset.path);
    const Answer file = api.get(asset.path);
    CHECK(file.status() == 200);
    CHECK(file.body() == asset.body);
    CHECK(file.response().type == asset.type);
    CHECK(file.header("Content-Security-Policy") == web::kContentSecurityPolicy);
    CHECK(file.header("Referrer-Policy") == "no-referrer");
    CHECK(file.header("X-Content-Type-Options") == "nosniff");
    CHECK(file.header("Cache-Control") == (asset.holding == web::Holding::kForever
                                               ? "public, max-age=31536000, immutable"
                                               : "no-cache"));
    CHECK(file.header("RateLimit-Remaining") == "120");
    const Asking holding{.headers = {{"if-none-match", std::string(asset.etag)}}};
    CHECK(api.ask(http::Method::kGet, asset.path, holding).status() == 304);
    CHECK(api.ask(http::Method::kHead, asset.path).status() == 200);
    CHECK(api.post(asset.path, "").header("Allow") == "GET, HEAD");
  }
  CHECK(web::assets().size() > 20);
  CHECK(api.get("/index.html").status() == 404);
  CHECK(api.get("/app/%6dain.js").status() == 404);
  CHECK(api.get("/app/").status() == 404);
}

TEST_CASE("api service: what never changes is compressed once, for clients that accept it") {
  ApiClient api;
  const auto get = [&](std::string_view path, const std::string& accepts) {
    return api.ask(http::Method::kGet, path, {.headers = {{"accept-encoding", accepts}}});
  };
  for (const char* path : {"/", "/v1/openapi.yaml"}) {
    CAPTURE(path);
    const std::string plain = get(path, "gzip;q=0").body();
    CHECK(plain == api.get(path).body());
    const Answer packed = get(path, "gzip");
    CHECK(packed.header("Content-Encoding") == "gzip");
    CHECK(packed.body() == http::gzipped(plain));
    CHECK(packed.body().size() < plain.size());
    CHECK(packed.header("ETag") == api.get(path).header("ETag"));
    const Asking holding{.headers = {{"if-none-match", "*"}, {"accept-encoding", "gzip"}}};
    const Answer same = api.ask(http::Method::kGet, path, holding);
    CHECK(same.status() == 304);
    CHECK(same.body().empty());
    CHECK_FALSE(same.header("Content-Encoding"));
  }
  for (const web::Asset& asset : web::assets()) {
    const Answer file = get(asset.path, "gzip");
    if (file.header("Content-Encoding")) {
      CHECK(file.body() == http::gzipped(asset.body));
    } else {
      CHECK(file.body() == asset.body);
    }
  }
}

TEST_CASE("api service: measurements are in the format of Prometheus") {
  ApiClient api;
  const Answer metrics = api.get("/metrics");
  CHECK(metrics.status() == 200);
  CHECK(metrics.response().type == "text/plain; version=0.0.4; charset=utf-8");
}

}  // namespace chirp::test
