// Goal: the policy `cost` pulls whose posts cost more to deliver than to fetch, by what followers
// read, and pushes them again when that turns.
// Method: estimates of worlds of a few, and the marks that fan-out sets from them.
#include <vector>

#include <doctest/doctest.h>

#include "core/events/consumers.h"
#include "core/events/cost_estimates.h"
#include "core/rules/writing.h"
#include "tests/support/small_world.h"

namespace chirp::test {

using events::FanOut;
using events::Progress;
using Ids = std::vector<PostId>;

TEST_CASE("cost policy: an author of many posts with few readers is pulled, until they read") {
  SmallWorld world(12);
  for (std::uint32_t follower = 2; follower <= 12; ++follower) world.follow(follower, 1);
  world.count();
  world.change(feed::Policy::kCost);
  world.clock.advance(10 * kDayMs);
  const Ids first = world.posts(1, 20);
  world.fan_out();
  auto mark = world.storage.snapshot()->find(tables::Marks::Key{UserNumber{1}});
  REQUIRE(mark);
  CHECK(mark->push_from == feed::kNeverPushed);
  CHECK(world.held(2).empty());
  CHECK(SmallWorld::ids(world.page(2)).front() == first.back());

  // Ten days later everybody reads daily, and there has been one post.
  world.clock.advance(10 * kDayMs);
  for (std::uint32_t reader = 2; reader <= 12; ++reader) {
    rules::note_read(world.storage, UserNumber{reader}, world.clock.now());
  }
  const PostId between = world.post(1);
  world.fan_out();
  mark = world.storage.snapshot()->find(tables::Marks::Key{UserNumber{1}});
  REQUIRE(mark);
  CHECK(mark->push_from > between);
  CHECK(mark->push_from != feed::kNeverPushed);
  const PostId later = world.post(1);
  world.fan_out();
  CHECK(world.held(2) == Ids{later});
  CHECK(SmallWorld::ids(world.page(2, 2)) == Ids{later, between});
}

TEST_CASE("cost policy: weighs what there is") {
  SmallWorld world(5);
  for (std::uint32_t follower = 2; follower <= 5; ++follower) world.follow(follower, 1);
  rules::drop_timeline(world.storage, UserNumber{5});
  world.posts(1, 4);
  const auto snapshot = world.storage.snapshot();
  const feed::AuthorCost cost = events::estimate(*snapshot, snapshot->state(), UserNumber{1}, 400,
                                                 world.clock.now(), events::rates_by_last_read());
  CHECK(cost.posts_per_second == doctest::Approx(4.0 / 86'400));
  CHECK(cost.active_followers == doctest::Approx(300));
  CHECK(cost.reads_per_second == doctest::Approx(300 * 8.0 / 86'400));
  CHECK(cost.delivery_ns == snapshot->state().delivery_ns);
  CHECK(cost.source_ns == snapshot->state().source_ns);
}

TEST_CASE("cost policy: uses the given rates of reads, not only days") {
  // Nobody has read for ten days, as the days say; who counts reads may know better.
  class Rates final : public ReadRates {
   public:
    explicit Rates(double each) : each_(each) {}
    [[nodiscard]] double reads_per_second(UserNumber reader, Time /*last_read*/,
                                          Time /*now*/) const override {
      return reader == UserNumber{2} ? each_ : 0;
    }

   private:
    double each_;
  };
  const auto mark_with = [](const ReadRates& rates) {
    SmallWorld world(12);
    for (std::uint32_t follower = 2; follower <= 12; ++follower) world.follow(follower, 1);
    world.count();
    world.change(feed::Policy::kCost);
    world.clock.advance(10 * kDayMs);
    world.posts(1, 20);
    events::FanOut fan_out(world.storage, world.clock, {}, FanOut::kTurnRows, rates);
    while (fan_out.step() != Progress::kIdle) continue;
    return world.storage.snapshot()->find(tables::Marks::Key{UserNumber{1}});
  };
  const auto seldom = mark_with(Rates(1e-9));
  REQUIRE(seldom);
  CHECK(seldom->push_from == feed::kNeverPushed);
  CHECK_FALSE(mark_with(Rates(1)));
}

}  // namespace chirp::test
