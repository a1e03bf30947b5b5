// Goal: a stream is opened for who may have it, from where they were, and refused by the contract.
// Method: the App over the stores in memory; what is opened is read without a socket.
#include <atomic>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "server/limits.h"
#include "tests/support/api_client.h"
#include "tests/support/stream_reader.h"

namespace chirp::test {
namespace {

Answer open_stream(ApiClient& api, const std::string& token, const std::string& last_id = {}) {
  Asking asking{.token = token};
  if (!last_id.empty()) asking.headers.push_back({"last-event-id", last_id});
  return api.ask(http::Method::kGet, "/v1/stream", asking);
}

// A reader that only says whether it was cut off.
class CutOutlet final : public http::Outlet {
 public:
  bool send(std::string_view) override { return !cut_; }
  [[nodiscard]] Flow flow() const override { return cut_ ? Flow::kGone : Flow::kDrained; }
  void close() override {}
  void cut() override { cut_ = true; }
  [[nodiscard]] bool is_cut() const { return cut_; }

 private:
  std::atomic<bool> cut_ = false;
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("api stream: goes on after the last id, and says what it is") {
  ApiClient api;
  const std::string token = api.token_of(api.add("mira"));
  (void)api.engine.posts().publish(api.engine.accounts().resolve("mira"), "one");
  (void)api.engine.posts().publish(api.engine.accounts().resolve("mira"), "two");
  const std::uint64_t newest = api.storage.snapshot()->state().log_end.value - 1;
  const live::EventDigests digests("a directory");
  const auto digest = digests.at(*api.storage.snapshot(), Sequence{newest - 1});
  const Answer opened =
      open_stream(api, token, live::event_id_text((newest - 1) * 4, digest.value()));
  REQUIRE(opened.status() == 200);
  CHECK(opened.response().type == "text/event-stream");
  CHECK(opened.header("Cache-Control") == "no-store");
  REQUIRE(opened.response().stream);
  const std::string text = read_events(opened.response().stream, 1);
  CHECK(text.find("\"content\":\"one\"") == std::string::npos);
  const std::string id = live::event_id_text(
      newest * 4, digests.at(*api.storage.snapshot(), Sequence{newest}).value());
  CHECK(text.find(fmt::format("id: {}\nevent: post\ndata: {{", id)) != std::string::npos);
  CHECK(text.find("\"content\":\"two\"") != std::string::npos);
}

TEST_CASE("api stream: a request without a token or with an invalid or foreign id is refused") {
  ApiClient api;
  const std::string token = api.token_of(api.add("mira"));
  CHECK(open_stream(api, "").status() == 401);
  CHECK(open_stream(api, "", "1").status() == 401);
  for (const char* bad : {"x", "-1", "+1", "1 ", "0x1", "1.5", "12345678901234567890", "1,2"}) {
    CAPTURE(bad);
    const Answer refused = open_stream(api, token, bad);
    CHECK(refused.status() == 400);
    CHECK(refused.blamed() == "Last-Event-ID");
  }
  Asking twice{.token = token};
  twice.headers = {{"last-event-id", "1"}, {"last-event-id", "1"}};
  CHECK(api.ask(http::Method::kGet, "/v1/stream", twice).status() == 400);
  for (const char* ahead : {"4000", "9999999999999999999"}) {
    const Answer refused = open_stream(api, token, ahead);
    CHECK(refused.status() == 409);
    CHECK(refused.code() == "conflict");
  }
  // Ids of another history, and of the form without a digest.
  for (const char* foreign : {"0-00000000", "7-12345678", "0", "7"}) {
    CAPTURE(foreign);
    const Answer refused = open_stream(api, token, foreign);
    CHECK(refused.status() == 409);
    CHECK(refused.code() == "conflict");
  }
  Asking empty{.token = token, .headers = {{"last-event-id", ""}}};
  CHECK(api.ask(http::Method::kGet, "/v1/stream", empty).status() == 200);
  CHECK(api.hub.streams() == 0);
}

TEST_CASE("api stream: one too many is a 429, until another is closed") {
  ApiClient api;
  const std::string token = api.token_of(api.add("mira"));
  std::vector<Answer> open;
  for (std::size_t i = 0; i < limits::kStreamsPerUserMax; ++i) {
    open.push_back(open_stream(api, token));
    REQUIRE(open.back().status() == 200);
  }
  const Answer refused = open_stream(api, token);
  CHECK(refused.status() == 429);
  CHECK(refused.code() == "rate_limited");
  CHECK(refused.header("Retry-After"));
  open.pop_back();
  CHECK(open_stream(api, token).status() == 200);
  const std::string other = api.token_of(api.add("yuki"));
  CHECK(open_stream(api, other).status() == 200);
}

TEST_CASE("api stream: an address has a limit of streams, whatever their users") {
  ApiClient api;
  api.set("http.streams", "2");
  std::vector<Answer> open;
  for (const char* name : {"mira", "yuki"}) {
    open.push_back(open_stream(api, api.token_of(api.add(name))));
    REQUIRE(open.back().status() == 200);
  }
  const std::string token = api.token_of(api.add("third"));
  CHECK(open_stream(api, token).status() == 429);
  CHECK(api.ask(http::Method::kGet, "/v1/stream", {.token = token, .address = "192.0.2.2"})
            .status() == 200);
}

TEST_CASE("api stream: nothing is sent once the answer says that its token is revoked") {
  ApiClient api;
  const User mira = api.add("mira");
  const std::string token = api.token_of(mira);
  const std::string kept = api.token_of(mira);
  const auto open = [&](const std::string& with) {
    const auto outlet = std::make_shared<CutOutlet>();
    open_stream(api, with).response().stream(outlet);
    return outlet;
  };
  const auto gone = open(token);
  const auto stays = open(kept);
  CHECK_FALSE(gone->is_cut());
  const Answer opened_before = open_stream(api, token);
  CHECK(api.remove("/v1/sessions/current", token).status() == 204);
  CHECK(gone->is_cut());
  CHECK_FALSE(stays->is_cut());
  // One that was on its way when it was revoked.
  const auto late = std::make_shared<CutOutlet>();
  opened_before.response().stream(late);
  CHECK(late->is_cut());
  CHECK_FALSE(stays->is_cut());
}

TEST_SUITE_END();

}  // namespace chirp::test
