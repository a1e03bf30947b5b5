// Goal: the work beside the requests gets done: timelines and counters follow the log while we hold
// the right to them, removals end, readers get their timelines; and it ends on request. Method: an
// Upkeep over the stores in memory, watched until the state is what it should be.

#include "server/engine/upkeep.h"

#include <atomic>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include "core/ports/reads.h"
#include "core/rules/settings.h"
#include "core/rules/writing.h"
#include "server/limits.h"
#include "store/sqlite/user_directory.h"
#include "tests/model/storage.h"
#include "tests/support/directories.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_clock.h"
#include "tests/support/social_world.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::upkeep_test {
namespace {

struct World {
  World() {
    sqlite::create_user_directory(folder / "users.db",
                                  {std::string(test::kDirectoryUuid), test::kDirectoryMachine});
    directory = sqlite::open_user_directory(folder / "users.db");
    engine = std::make_unique<Engine>(storage, *directory, hasher, clock);
  }

  User add(const std::string& name) {
    social::SignUp sign_up;
    sign_up.username = name;
    return engine->accounts().add(sign_up).user;
  }
  User user(std::string_view name) const { return engine->accounts().resolve(name); }
  // More than one step of a removal takes.
  void publish_much(const std::string& name) const {
    for (int i = 0; i < 1'100; ++i) {
      (void)engine->posts().publish(user(name), social::NewPost{"text"});
    }
  }
  std::unique_ptr<UpkeepThread> start() {
    auto upkeep = std::make_unique<UpkeepThread>(
        UpkeepParts{storage, *directory, hasher, clock, log, metrics,
                    [this] {
                      ++rights_asked;
                      return right_is_free ? std::make_shared<int>(0) : nullptr;
                    },
                    [this] {
                      ++shares_asked;
                      return 1.0;
                    }});
    upkeep->start();
    return upkeep;
  }
  [[nodiscard]] bool is_drained() const {
    const StoreState state = storage.snapshot()->state();
    return state.fan_out == state.log_end && state.counters == state.log_end &&
           state.notifications == state.log_end && state.trends == state.log_end;
  }

  test::TempFolder folder;
  model::ModelStorage storage;
  std::unique_ptr<UserDirectory> directory;
  test::PlainHasher hasher;
  test::StillClock clock{Time{snowflake::kEpochMs + 100 * kDayMs}};
  Log log{Log::Requests::kQuiet};
  Metrics metrics;
  std::atomic<bool> right_is_free{true};
  std::atomic<int> rights_asked{0};
  std::atomic<int> shares_asked{0};  // which tell the cost policy what a read costs
  std::unique_ptr<Engine> engine;
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("upkeep: its thread keeps timelines and counters up to date") {
  World world;
  const User mira = world.add("mira");
  const User yuki = world.add("yuki");
  (void)world.engine->follows().add(world.user("yuki"), std::array{world.user("mira")});
  const auto upkeep = world.start();
  for (int i = 0; i < 50; ++i) {
    (void)world.engine->posts().publish(world.user("mira"), social::NewPost{"text"});
    upkeep->wake();
  }
  CHECK(test::eventually([&] { return world.is_drained(); }));
  CHECK(world.storage.snapshot()->timeline(yuki.number)->entries.size() == 50);
  world.clock.advance(limits::kGaugesMs);
  for (const char* gauge : {"chirp_deliveries_total 1", "chirp_users 2\n", "chirp_follows 1\n",
                            "chirp_authors{tier=\"regular\"} 2\n"}) {
    CAPTURE(gauge);
    CHECK(test::eventually([&] { return world.metrics.text().find(gauge) != std::string::npos; }));
  }
}

TEST_CASE("upkeep: its thread gives users the tiers of new bounds") {
  World world;
  const User star = world.add("star");
  (void)world.engine->follows().add(world.add("fan"), std::array{star});
  const auto upkeep = world.start();
  CHECK(test::eventually([&] { return world.is_drained(); }));
  feed::FeedSettings settings = world.storage.snapshot()->state().settings;
  settings.influencer_from = 1;
  rules::put_settings(world.storage, settings, world.clock.now());
  upkeep->wake();
  CHECK(test::eventually([&] {
    const auto mark = world.storage.snapshot()->find(tables::Marks::Key{star.number});
    return mark && mark->tier == feed::Tier::kInfluencer;
  }));
  CHECK(test::eventually([&] { return !rules::tiers_due(*world.storage.snapshot()); }));
}

TEST_CASE("upkeep: its thread waits for the right to run the consumers") {
  World world;
  world.right_is_free = false;
  const User mira = world.add("mira");
  const User yuki = world.add("yuki");
  world.publish_much("yuki");
  const auto upkeep = world.start();
  // Removals need no right: when one is done, the thread has been past the consumers.
  world.engine->accounts().hide(world.user("yuki"));
  upkeep->wake();
  CHECK(test::eventually([&] { return !world.directory->find(yuki.number); }));
  CHECK_FALSE(world.is_drained());
  // It looks for the right again when it looks around, and not before.
  world.right_is_free = true;
  world.clock.advance(limits::kLookAroundMs - 1);
  world.engine->accounts().hide(world.user("mira"));
  upkeep->wake();
  CHECK(test::eventually([&] { return !world.directory->find(mira.number); }));
  CHECK(world.rights_asked == 1);
  world.clock.advance(1);
  CHECK(test::eventually([&] { return world.is_drained(); }));
}

TEST_CASE("upkeep: its thread ends removals, and the name is free again") {
  World world;
  const User mira = world.add("mira");
  world.publish_much("mira");
  world.engine->accounts().hide(world.user("mira"));
  CHECK_FALSE(world.engine->accounts().find_name("mira"));
  CHECK(world.directory->find(mira.number));
  const auto upkeep = world.start();
  CHECK(test::eventually([&] { return !world.directory->find(mira.number); }));
  CHECK(reads::unfinished_removals(*world.storage.snapshot()).empty());
  CHECK(world.add("mira").number != mira.number);
}

TEST_CASE("upkeep: its thread builds the timelines of users who have read without one") {
  World world;
  SUBCASE("and tells what it cost while it has the right to") { world.right_is_free = true; }
  SUBCASE("and tells nothing without it") { world.right_is_free = false; }
  const User mira = world.add("mira");
  rules::drop_timeline(world.storage, mira.number);
  feed::PageRequest request;
  request.viewer = mira.number;
  const feed::Page page = world.engine->feeds().page(request);
  REQUIRE(page.upkeep == feed::Upkeep::kBuild);
  const auto upkeep = world.start();
  upkeep->after_read(mira.number, page.upkeep);
  CHECK(test::eventually(
      [&] { return world.storage.snapshot()->timeline(mira.number).has_value(); }));
  CHECK((world.shares_asked > 0) == world.right_is_free);
}

TEST_CASE("upkeep: it ends in the midst of its thread's work") {
  World world;
  (void)world.add("mira");
  for (int round = 0; round < 20; ++round) {
    (void)world.engine->posts().publish(world.user("mira"), social::NewPost{"text"});
    const auto upkeep = world.start();
    upkeep->wake();
  }
  CHECK_FALSE(world.storage.snapshot()->table_rows().empty());
}

TEST_SUITE_END();

}  // namespace chirp::test::upkeep_test
