// Goal: the settings of requests are those in force, at every look, and memory has them while
// nothing changes. Method: a store in memory that is changed and broken between looks, and while it
// is read.

#include "server/api/live_settings.h"

#include <functional>
#include <memory>
#include <utility>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/ports/forwarding_storage.h"
#include "core/rules/writing.h"
#include "core/settings.h"
#include "server/limits.h"
#include "server/log.h"
#include "tests/model/storage.h"
#include "tests/support/api_client.h"

namespace chirp::test::live_settings_test {
namespace {

// Something may happen once, just after a snapshot was taken.
class Interrupted final : public ForwardingStorage {
 public:
  explicit Interrupted(Storage& inner) : ForwardingStorage(inner) {}
  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override {
    ++snapshots;
    auto taken = ForwardingStorage::snapshot();
    if (const auto happens = std::exchange(meanwhile, nullptr)) happens();
    return taken;
  }

  // A commit shows here before snapshots have it, as in a store that syncs it just now.
  [[nodiscard]] std::uint64_t version() const override {
    if (away) throw Error(ErrorCode::kUnavailable, "The database is away.");
    return ForwardingStorage::version() + (committing ? 1 : 0);
  }

  bool committing = false;
  bool away = false;
  mutable int snapshots = 0;
  mutable std::function<void()> meanwhile;
};

struct SettingsWorld {
  void set(const char* value) { settings::set(stored, "http.rate_limit", value, clock.now()); }
  [[nodiscard]] std::uint64_t rate() const { return live.get()->rate_limit; }

  model::ModelStorage stored;
  Interrupted storage{stored};
  StillClock clock;
  Log log{Log::Requests::kQuiet};
  api::LiveSettings live{storage, clock, log};
};

}  // namespace

TEST_CASE("live settings: a change is seen by the next look, and none costs no look at the store") {
  SettingsWorld world;
  CHECK_FALSE(world.live.known());
  CHECK(world.rate() == 600);
  const int snapshots = world.storage.snapshots;
  CHECK(world.rate() == 600);
  CHECK(world.live.known()->rate_limit == 600);
  CHECK(world.storage.snapshots == snapshots);
  world.set("7");
  CHECK_FALSE(world.live.known());
  CHECK(world.rate() == 7);
  CHECK(world.live.known()->rate_limit == 7);
}

TEST_CASE("live settings: what changes while they are read is seen by the next look") {
  SettingsWorld world;
  world.storage.meanwhile = [&] { world.set("7"); };
  CHECK(world.rate() == 600);
  CHECK_FALSE(world.live.known());
  CHECK(world.rate() == 7);
}

TEST_CASE("live settings: those read while a commit is synced are not taken for what it leaves") {
  SettingsWorld world;
  world.storage.committing = true;
  CHECK(world.rate() == 600);
  world.storage.committing = false;
  world.set("7");
  CHECK_FALSE(world.live.known());
  CHECK(world.rate() == 7);
}

TEST_CASE("live settings: while the store is away those of before hold, and no longer") {
  SettingsWorld world;
  world.storage.away = true;
  CHECK(world.rate() == 600);
  world.storage.away = false;
  world.set("7");
  CHECK(world.rate() == 7);
  world.storage.away = true;
  const int snapshots = world.storage.snapshots;
  CHECK(world.rate() == 7);
  CHECK_FALSE(world.live.known());
  CHECK(world.live.last()->rate_limit == 7);
  CHECK(world.storage.snapshots == snapshots);
  world.set("8");
  CHECK(world.rate() == 7);
  world.storage.away = false;
  CHECK(world.rate() == 8);
  CHECK(world.live.known()->rate_limit == 8);
}

TEST_CASE(
    "live settings: those that can't be read are looked at again later, not at each request") {
  SettingsWorld world;
  world.set("7");
  CHECK(world.rate() == 7);
  rules::set_plain(world.stored, "http.rate_limit", "nonsense");
  CHECK(world.rate() == 7);
  const int snapshots = world.storage.snapshots;
  CHECK(world.rate() == 7);
  CHECK(world.storage.snapshots == snapshots);
  rules::set_plain(world.stored, "http.rate_limit", "8");
  world.clock.advance(limits::kSettingsLookMs);
  CHECK(world.rate() == 8);
  rules::set_plain(world.stored, "http.rate_limit", "9");
  CHECK(world.rate() == 9);
}

}  // namespace chirp::test::live_settings_test
