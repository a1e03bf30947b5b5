// Goal: consumers are given what they are bound to, count exactly once, and leave a log that is no
// longer than it has to be.
// Method: small worlds in the in-memory store, drained whole and in steps.
#include "core/events/consumers.h"

#include <doctest/doctest.h>

#include "core/events/inbox.h"
#include "core/model/passing.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/small_world.h"

namespace chirp::test {
namespace {

using events::Bindings;
using events::CounterConsumer;
using events::FanOut;
using events::Progress;
using events::Topic;

UserCounters counters(const SmallWorld& world, std::uint32_t user) {
  const UserNumber number{user};
  return world.storage.snapshot()->counters({&number, 1}).front();
}

UserCounters stored(const SmallWorld& world, std::uint32_t user) {
  for (const auto& [number, found] :
       reads::counters_above(*world.storage.snapshot(), kNobody, 1000)) {
    if (number == UserNumber{user}) return found;
  }
  return {};
}

}  // namespace

TEST_CASE("topics: patterns match as a topic exchange matches") {
  using events::matches;
  CHECK(matches("post.*", "post.created"));
  CHECK_FALSE(matches("post.*", "post"));
  CHECK_FALSE(matches("post.*", "post.created.twice"));
  CHECK_FALSE(matches("post.*", "repost.created"));
  CHECK(matches("*.created", "user.created"));
  CHECK(matches("#", "tier.changed"));
  CHECK(matches("#", ""));
  CHECK(matches("post.#", "post"));
  CHECK(matches("post.#.created", "post.created"));
  CHECK(matches("#.created", "a.b.created"));
  CHECK_FALSE(matches("", "post"));
}

TEST_CASE("consumers: are given bound topics alone, and pass by the rest") {
  const Bindings bindings(FanOut::kBindings);
  CHECK(bindings.match(Topic::kPostCreated));
  CHECK(bindings.match(Topic::kFollowRemoved));
  CHECK_FALSE(bindings.match(Topic::kUserCreated));
  CHECK_FALSE(bindings.match(Topic::kTierChanged));
  CHECK_FALSE(bindings.match(Topic::kLoadBatch));

  SmallWorld world(2);  // two users signed up
  world.follow(1, 2);
  world.post(2);
  const auto snapshot = world.storage.snapshot();
  const auto all = take_in(*snapshot, Sequence{1}, 100, bindings);
  CHECK(all.events.size() == 2);
  CHECK(all.next == snapshot->state().log_end);
  const auto early = take_in(*snapshot, Sequence{1}, 2, bindings);
  CHECK(early.events.empty());
  CHECK(early.next == Sequence{3});
  CHECK(take_in(*snapshot, all.next, 100, bindings).next == all.next);
}

TEST_CASE("counters: are right before, while and after they are counted") {
  SmallWorld world(3);
  world.follow(1, 2);
  world.follow(3, 2);
  world.unfollow(3, 2);
  const PostId gone = world.post(2);
  world.post(2);
  world.remove(gone);
  const UserCounters want{.followers = 1, .following = 0, .posts = 1};
  CounterConsumer consumer(world.storage, world.clock, 2);
  int steps = 0;
  do {
    CHECK(counters(world, 2) == want);
    CHECK(counters(world, 1) == UserCounters{.followers = 0, .following = 1, .posts = 0});
    ++steps;
  } while (consumer.step() == Progress::kMoved);
  CHECK(steps == 6);
  CHECK(stored(world, 2) == want);
  CHECK(consumer.step() == Progress::kIdle);
}

TEST_CASE("counters: a step taken twice counts once") {
  SmallWorld world(2);
  world.count();
  world.follow(1, 2);
  const CounterStep step{world.state().counters, world.state().log_end, {{UserNumber{2}, 1, 0, 0}}};
  CHECK(rules::commit(world.storage, step, world.clock.now()));
  CHECK_FALSE(rules::commit(world.storage, step, world.clock.now()));
  CHECK(stored(world, 2).followers == 1);
}

TEST_CASE("drain: leaves nothing pending and keeps the log as long as it should") {
  SmallWorld world(2);
  world.follow(1, 2);
  world.post(2);
  events::drain(world.storage, world.clock);
  StoreState state = world.state();
  CHECK(state.fan_out == state.log_end);
  CHECK(state.counters == state.log_end);
  CHECK(state.log_first == Sequence{1});

  world.clock.advance(state.settings.log_keep_ms + kDayMs);
  const Sequence old_end = state.log_end;
  world.post(2);
  events::drain(world.storage, world.clock);
  // It might be a clock that has leapt; who finds it standing an hour later believes it.
  CHECK(world.state().log_first == Sequence{1});
  world.clock.advance(TrustedTime::kBelievedMs);
  world.post(2);
  events::drain(world.storage, world.clock);
  CHECK(world.state().log_first == old_end);
}

TEST_CASE("drain: does not write when there is nothing to do") {
  SmallWorld world(2);
  world.post(2);
  events::drain(world.storage, world.clock);
  const std::uint64_t version = world.storage.version();
  events::drain(world.storage, world.clock);
  CHECK(world.storage.version() == version);
}

TEST_CASE("drain: timelines are of use again after a time of pulling") {
  SmallWorld world(2);
  world.follow(1, 2);
  world.post(2);
  events::drain(world.storage, world.clock);
  world.change(feed::Policy::kPull);
  world.post(2);
  events::drain(world.storage, world.clock);
  CHECK(world.state().push_from_all == feed::kNeverPushed);
  world.change(feed::Policy::kPush);
  world.post(2);
  events::drain(world.storage, world.clock);
  CHECK(world.state().push_from_all == feed::kAlwaysPushed);
  feed::Feeds feeds(world.storage, world.clock);
  const feed::Page page = feeds.page(SmallWorld::asking(1));
  CHECK(page.items.size() == 3);
  feeds.after_read(UserNumber{1}, page.upkeep);
  const feed::Page again = feeds.page(SmallWorld::asking(1));
  CHECK(again.items.size() == 3);
  CHECK(again.cost.sources == 1);
}

}  // namespace chirp::test
