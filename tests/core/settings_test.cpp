// Goal: what the server allows its clients can be set, is read back as it was meant, and nothing
// else is taken. Method: the settings over the store in memory, values as somebody would type them.
#include "core/settings.h"

#include <functional>
#include <utility>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/rules/writing.h"
#include "tests/model/storage.h"
#include "tests/support/directories.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

// Somebody else is faster by one transaction.
class RacedStorage final : public model::ModelStorage {
 public:
  using ModelStorage::ModelStorage;

  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    if (const auto faster = std::exchange(other, nullptr)) faster();
    return ModelStorage::decide(now, purpose, decision);
  }

  std::function<void()> other;
};

}  // namespace

TEST_CASE("settings: what clients are allowed is as it was set") {
  model::ModelStorage storage;
  settings::ForClients now = settings::for_clients(*storage.snapshot());
  CHECK(now.rate_limit == 600);
  CHECK(now.rate_limit_anonymous == 120);
  CHECK(now.login_failures == 10);
  CHECK(now.login_failures_address == 100);
  CHECK(now.connections == 512);
  CHECK(now.streams == 256);
  CHECK(settings::media_max(storage) == std::uint64_t{1} << 30);
  settings::set(storage, "media.max", "0", kNow);
  CHECK_FALSE(settings::media_max(storage));
  CHECK(now.cors_origins.empty());
  CHECK(now.trusted_proxies.empty());
  CHECK(now.hosts.empty());
  settings::set(storage, "http.rate_limit", "7", kNow);
  settings::set(storage, "http.rate_limit_anonymous", "6", kNow);
  settings::set(storage, "http.login_failures", "5", kNow);
  settings::set(storage, "http.login_failures_address", "50", kNow);
  settings::set(storage, "http.connections", "4", kNow);
  settings::set(storage, "http.streams", "3", kNow);
  settings::set(storage, "http.cors_origins", "https://Example.org, http://localhost:5173", kNow);
  settings::set(storage, "http.trusted_proxies", "10.0.0.0/8,::1", kNow);
  settings::set(storage, "http.hosts", "Chirp.example, 10.0.0.7, [fd00::1]", kNow);
  now = settings::for_clients(*storage.snapshot());
  CHECK(now.rate_limit == 7);
  CHECK(now.rate_limit_anonymous == 6);
  CHECK(now.login_failures == 5);
  CHECK(now.login_failures_address == 50);
  CHECK(now.connections == 4);
  CHECK(now.streams == 3);
  CHECK(now.cors_origins ==
        std::vector<std::string>{"https://example.org", "http://localhost:5173"});
  REQUIRE(now.trusted_proxies.size() == 2);
  CHECK(now.trusted_proxies[0].contains(*parse_address("10.1.2.3")));
  CHECK(now.trusted_proxies[1].contains(*parse_address("::1")));
  CHECK(now.hosts == std::vector<std::string>{"chirp.example", "10.0.0.7", "[fd00::1]"});
  const auto text = [&](const char* key) { return settings::text_of(settings::get(storage, key)); };
  CHECK(text("http.cors_origins") == "https://example.org,http://localhost:5173");
  CHECK(text("http.trusted_proxies") == "10.0.0.0/8,::1");
  CHECK(text("http.hosts") == "chirp.example,10.0.0.7,[fd00::1]");
  settings::set(storage, "http.cors_origins", "none", kNow);
  settings::set(storage, "http.trusted_proxies", "none", kNow);
  CHECK(settings::for_clients(*storage.snapshot()).cors_origins.empty());
  CHECK(settings::for_clients(*storage.snapshot()).trusted_proxies.empty());
}

TEST_CASE("settings: what clients can't be allowed is refused, and nothing changes") {
  model::ModelStorage storage;
  const auto before = settings::all(storage);
  std::string many = "10.0.0.1";
  for (int i = 0; i < 64; ++i) many += ",10.0.0.1";
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"http.rate_limit", "0"},
           {"http.rate_limit", "many"},
           {"http.rate_limit_anonymous", "1000000001"},
           {"http.login_failures", "-1"},
           {"http.cors_origins", ""},
           {"http.cors_origins", "*"},
           {"http.cors_origins", "example.org"},
           {"http.cors_origins", "https://example.org/"},
           {"http.cors_origins", "https://example.org,,http://b.example"},
           {"http.cors_origins", "ftp://example.org"},
           {"http.trusted_proxies", ""},
           {"http.trusted_proxies", "localhost"},
           {"http.trusted_proxies", "10.0.0.0/33"},
           {"http.trusted_proxies", many},
           {"http.trusted_proxies", "0.0.0.0/0"},
           {"http.trusted_proxies", "10.0.0.1, ::/0"},
           {"http.trusted_proxies", "128.0.0.0/7"},
           {"http.trusted_proxies", "fc00::/6"},
           {"http.trusted_proxies", "::ffff:0.0.0.0/96"},
           {"http.hosts", ""},
           {"http.hosts", "*"},
           {"http.hosts", "chirp.example:8080"},
           {"http.hosts", "https://chirp.example"},
           {"http.hosts", "fd00::1"},
           {"http.hosts", "[chirp]"},
           {"http.hosts", "chirp example"}}) {
    CAPTURE(key);
    CAPTURE(value);
    CHECK(code_of([&] { settings::set(storage, key, value, kNow); }) ==
          ErrorCode::kInvalidArgument);
  }
  CHECK(settings::all(storage) == before);
}

TEST_CASE("settings: changes by others at the same time are kept, with the bounds between them") {
  RacedStorage storage;
  const auto text = [&](const char* key) { return settings::text_of(settings::get(storage, key)); };
  storage.other = [&] { settings::set(storage, "tier.influencer_from", "5000", kNow); };
  settings::set(storage, "feed.cap", "100", kNow);
  CHECK(text("feed.cap") == "100");
  CHECK(text("tier.influencer_from") == "5000");

  storage.other = [&] { settings::set(storage, "tier.influencer_from", "7000", kNow); };
  CHECK(code_of([&] { settings::set(storage, "tier.celebrity_above", "6000", kNow); }) ==
        ErrorCode::kInvalidArgument);
  CHECK(text("tier.influencer_from") == "7000");
  CHECK(text("tier.celebrity_above") == "100000");

  storage.other = [&] { settings::set(storage, "feed.cap", "50", kNow); };
  settings::set(storage, "feed.cap", "50", kNow);
  CHECK(text("feed.cap") == "50");
}

TEST_CASE("settings: one that is broken is the fault of nobody who depends on it") {
  const auto broken = [](const char* key, auto read) {
    CAPTURE(key);
    model::ModelStorage storage;
    rules::set_plain(storage, key, "broken");
    CHECK(code_of([&] { (void)read(storage); }) == ErrorCode::kCorrupt);
    CHECK(code_of([&] { (void)settings::get(storage, key); }) == ErrorCode::kInvalidArgument);
  };
  broken("auth.bcrypt_cost", settings::bcrypt_cost);
  broken("follow.max", settings::follow_max);
  broken("media.max", settings::media_max);
  broken("trend.half_life", settings::trend_half_life_ms);
  broken("rank.variety", settings::rank_weights);
  broken("http.streams",
         [](const Storage& storage) { return settings::for_clients(*storage.snapshot()); });
}

}  // namespace chirp::test
