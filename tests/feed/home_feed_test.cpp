// Goal: a page holds what the definition says, says where each entry came from, and costs what it
// should.
// Method: small worlds by hand over the in-memory store; a snapshot that counts what it is asked.
#include "core/feed/home_feed.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/ports/forwarding_storage.h"
#include "core/rules/writing.h"
#include "tests/support/small_world.h"

namespace chirp::test::home_feed_test {
namespace {

using feed::Policy;
using feed::Source;
using feed::Upkeep;
using Ids = std::vector<PostId>;

feed::FeedSettings capped(std::uint32_t cap) {
  feed::FeedSettings settings;
  settings.cap = cap;
  return settings;
}

std::vector<Source> sources(const feed::Page& page) {
  std::vector<Source> result;
  for (const feed::FeedItem& item : page.items) result.push_back(item.source);
  return result;
}

Ids newest_first(Ids ids) {
  std::sort(ids.begin(), ids.end(), std::greater<>());
  return ids;
}

}  // namespace

TEST_CASE("home feed: holds one's own posts and those of followees, newest first") {
  SmallWorld world(3);
  world.follow(1, 2);
  const PostId own = world.post(1);
  const PostId followed = world.post(2);
  world.post(3);
  const feed::Page page = world.page(1);
  CHECK(SmallWorld::ids(page) == Ids{followed, own});
  CHECK(page.items[0].reason == feed::Reason::kFollow);
  CHECK(page.items[0].author->username == "u2");
  CHECK(page.items[1].reason == feed::Reason::kSelf);
  CHECK_FALSE(page.has_more);
  CHECK_FALSE(page.next_cursor);
  CHECK(page.prev_cursor == followed);
}

TEST_CASE("home feed: an empty feed repeats the cursor that was sent") {
  SmallWorld world(1);
  feed::PageRequest request = SmallWorld::asking(1);
  CHECK_FALSE(world.page(request).prev_cursor);
  request.before = PostId{77};
  CHECK(world.page(request).prev_cursor == PostId{77});
  CHECK_FALSE(world.page(request).next_cursor);
  request.before.reset();
  request.after = PostId{77};
  CHECK(world.page(request).prev_cursor == PostId{77});
  CHECK(world.page(request).next_cursor == PostId{77});
  CHECK(world.page(SmallWorld::asking(99)).items.empty());
}

TEST_CASE("home feed: asks for sensible things") {
  SmallWorld world(1);
  const auto field_of = [&](const feed::PageRequest& request) -> std::string {
    try {
      (void)world.page(request);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kInvalidArgument);
      return error.field();
    }
    return "none";
  };
  CHECK(field_of(SmallWorld::asking(1, 0)) == "limit");
  CHECK(field_of(SmallWorld::asking(1, limits::kPostPageMax)) == "none");
  CHECK(field_of(SmallWorld::asking(1, limits::kPostPageMax + 1)) == "limit");
  feed::PageRequest both = SmallWorld::asking(1);
  both.before = both.after = PostId{5};
  CHECK(field_of(both) == "after");
}

TEST_CASE("home feed: says more exactly when an entry that would be shown is left") {
  SmallWorld world(2);
  world.follow(1, 2);
  const Ids posts = world.posts(2, 5);
  world.fan_out();
  CHECK(world.page(1, 4).has_more);
  CHECK(world.page(1, 4).next_cursor == posts[1]);
  CHECK_FALSE(world.page(1, 5).has_more);
  world.remove(posts[0]);
  CHECK_FALSE(world.page(1, 4).has_more);
  CHECK_FALSE(world.page(1, 4).next_cursor);
  feed::PageRequest up = SmallWorld::asking(1, 3);
  up.after = posts[1];
  CHECK(SmallWorld::ids(world.page(up)) == Ids{posts[4], posts[3], posts[2]});
  CHECK_FALSE(world.page(up).has_more);
  up.limit = 2;
  CHECK(SmallWorld::ids(world.page(up)) == Ids{posts[3], posts[2]});
  CHECK(world.page(up).has_more);
  CHECK(world.page(up).next_cursor == posts[2]);
  CHECK(world.page(up).prev_cursor == posts[3]);
}

TEST_CASE("home feed: what is gone from the timeline never makes a page short") {
  SmallWorld world(3);
  world.follow(1, 2);
  world.follow(1, 3);
  const Ids kept = world.posts(3, 4);
  const Ids gone = world.posts(2, 300);
  world.fan_out();
  for (const PostId id : gone) {
    if (id != gone.front()) world.remove(id);
  }
  CHECK(SmallWorld::ids(world.page(1, 2)) == Ids{gone[0], kept[3]});
  world.unfollow(1, 2);
  CHECK(SmallWorld::ids(world.page(1, 3)) == Ids{kept[3], kept[2], kept[1]});
  world.follow(1, 2);
  CHECK(SmallWorld::ids(world.page(1, 1)) == Ids{gone[0]});
  world.leave(2);
  CHECK(SmallWorld::ids(world.page(1, 1)) == Ids{kept[3]});
}

TEST_CASE("home feed: says where each entry was found") {
  SmallWorld world(4, capped(3));
  world.follow(1, 2);
  const Ids old = world.posts(2, 2);
  world.fan_out();
  const Ids later = world.posts(2, 2);
  world.fan_out();  // the oldest falls out of the timeline
  const PostId before_follow = world.post(3);
  world.fan_out();
  world.follow(1, 3);
  const PostId pending = world.post(2);
  const feed::Page page = world.page(1);
  CHECK(SmallWorld::ids(page) == Ids{pending, before_follow, later[1], later[0], old[1], old[0]});
  CHECK(sources(page) == std::vector{Source::kPending, Source::kBackfilled, Source::kPushed,
                                     Source::kPushed, Source::kBelowCap, Source::kBelowCap});

  feed::PageRequest pull = SmallWorld::asking(1);
  pull.as_if = Policy::kPull;
  const feed::Page pulled = world.page(pull);
  CHECK(SmallWorld::ids(pulled) == SmallWorld::ids(page));
  CHECK(sources(pulled) == std::vector<Source>(6, Source::kPulled));
}

TEST_CASE("home feed: a celebrity's posts are pulled, and stay when they are one no longer") {
  feed::FeedSettings settings;
  settings.influencer_from = 2;
  settings.celebrity_above = 2;
  SmallWorld world(5, settings);
  for (const std::uint32_t follower : {1u, 3u, 4u}) world.follow(follower, 2);
  world.count();
  const Ids famous = world.posts(2, 2);
  world.fan_out();
  CHECK(world.timeline(1)->entries.empty());
  CHECK(sources(world.page(1)) == std::vector<Source>(2, Source::kPulled));
  world.unfollow(3, 2);
  world.unfollow(4, 2);
  world.count();
  const PostId humble = world.post(2);
  world.fan_out();
  CHECK(world.timeline(1)->entries.size() == 1);
  const feed::Page page = world.page(1);
  CHECK(SmallWorld::ids(page) == Ids{humble, famous[1], famous[0]});
  CHECK(sources(page) == std::vector{Source::kPushed, Source::kPulled, Source::kPulled});
}

TEST_CASE("home feed: pages upward are contiguous across the timeline's mark") {
  SmallWorld world(2, capped(3));
  world.follow(1, 2);
  const Ids posts = world.posts(2, 10);
  world.fan_out();
  for (std::uint32_t limit = 1; limit <= 11; ++limit) {
    CAPTURE(limit);
    feed::PageRequest request = SmallWorld::asking(1, limit);
    request.after = kBelowAllPosts;
    Ids walked;
    for (;;) {
      const feed::Page page = world.page(request);
      const Ids above = SmallWorld::ids(page);
      walked.insert(walked.begin(), above.begin(), above.end());
      if (!page.has_more) break;
      CHECK(above.size() == limit);
      request.after = page.prev_cursor;
    }
    CHECK(walked == newest_first(posts));
  }
}

TEST_CASE("home feed: a policy changes what a read costs, never what it says") {
  SmallWorld world(6, capped(4));
  for (std::uint32_t followee = 2; followee <= 6; ++followee) world.follow(1, followee);
  for (int round = 0; round < 4; ++round) {
    for (std::uint32_t author = 1; author <= 6; ++author) world.post(author);
    if (round < 3) world.fan_out();
  }
  const Ids all = SmallWorld::ids(world.page(1, 100));
  CHECK(all.size() == 24);
  for (const Policy policy : {Policy::kPull, Policy::kPush, Policy::kCost, Policy::kHybrid}) {
    world.change(policy);
    CHECK(SmallWorld::ids(world.page(1, 100)) == all);
    for (const Policy as_if : {Policy::kPull, Policy::kPush, Policy::kCost, Policy::kHybrid}) {
      feed::PageRequest request = SmallWorld::asking(1, 100);
      request.as_if = as_if;
      CHECK(SmallWorld::ids(world.page(request)) == all);
    }
  }
}

TEST_CASE("home feed: a page out of the timeline reads one source and little more than it shows") {
  SmallWorld world(30);
  for (std::uint32_t followee = 2; followee <= 30; ++followee) world.follow(1, followee);
  for (std::uint32_t author = 2; author <= 30; ++author) world.posts(author, 10);
  world.fan_out();
  const feed::Page page = world.page(1);
  CHECK(page.items.size() == 20);
  CHECK(page.cost.sources == 1);
  CHECK(page.cost.examined == 21);
  feed::PageRequest pull = SmallWorld::asking(1);
  pull.as_if = Policy::kPull;
  CHECK(world.page(pull).cost.sources == 30);
  CHECK(world.page(pull).cost.examined == 21);
}

TEST_CASE("home feed: an absent timeline is built after the read, and reads the same") {
  SmallWorld world(3, capped(3));
  world.follow(1, 2);
  world.posts(2, 5);
  world.fan_out();
  rules::drop_timeline(world.storage, UserNumber{1});
  feed::Feeds feeds(world.storage, world.clock);
  const feed::Page cold = feeds.page(SmallWorld::asking(1));
  CHECK_FALSE(cold.warm);
  CHECK(cold.upkeep == Upkeep::kBuild);
  CHECK(sources(cold) == std::vector<Source>(5, Source::kPulled));
  feeds.after_read(UserNumber{1}, cold.upkeep);
  const feed::Page warm = feeds.page(SmallWorld::asking(1));
  CHECK(warm.warm);
  CHECK(warm.upkeep == Upkeep::kNone);
  CHECK(SmallWorld::ids(warm) == SmallWorld::ids(cold));
  CHECK(sources(warm) == std::vector{Source::kBackfilled, Source::kBackfilled, Source::kBackfilled,
                                     Source::kBelowCap, Source::kBelowCap});
}

TEST_CASE("home feed: the cost of a build is seen in the share of the pages that read sources") {
  SmallWorld world(12, capped(3));
  for (std::uint32_t author = 2; author <= 12; ++author) {
    world.follow(1, author);
    world.posts(author, 3);
  }
  // Each look at it is a millisecond after the last.
  class SlowClock final : public Clock {
   public:
    [[nodiscard]] Time now() const override { return {}; }
    [[nodiscard]] std::int64_t steady_ns() const override { return looks_ += 1'000'000; }

   private:
    mutable std::int64_t looks_ = 0;
  };
  const SlowClock clock;
  feed::Feeds feeds(world.storage, clock);
  const auto cost_after = [&](std::optional<double> share) {
    rules::drop_timeline(world.storage, UserNumber{1});
    feeds.after_read(UserNumber{1}, Upkeep::kBuild, share);
    REQUIRE(world.timeline(1));
    return world.state().source_ns;
  };
  const std::uint32_t assumed = world.state().source_ns;
  CHECK(cost_after(std::nullopt) == assumed);
  CHECK(feeds.rebuild(UserNumber{1}));
  CHECK(world.state().source_ns == assumed);
  const std::uint32_t all_read = cost_after(1);
  CHECK(all_read > assumed);
  CHECK(cost_after(0) < all_read);
  const std::uint32_t before = world.state().source_ns;
  const std::uint32_t half = cost_after(0.5);
  CHECK(half > before);
  CHECK(half < before + (all_read - assumed));
}

TEST_CASE("home feed: the day of a read is kept once a day") {
  SmallWorld world(1);
  feed::Feeds feeds(world.storage, world.clock);
  CHECK(feeds.page(SmallWorld::asking(1)).upkeep == Upkeep::kNone);
  world.clock.advance(kDayMs);
  const feed::Page next_day = feeds.page(SmallWorld::asking(1));
  CHECK(next_day.upkeep == Upkeep::kNoteRead);
  feeds.after_read(UserNumber{1}, next_day.upkeep);
  CHECK(feeds.page(SmallWorld::asking(1)).upkeep == Upkeep::kNone);
  world.clock.advance(-3 * kDayMs);
  CHECK(feeds.page(SmallWorld::asking(1)).upkeep == Upkeep::kNone);
}

TEST_CASE("home feed: nobody who is not there gets a timeline by being read") {
  SmallWorld world(1);
  feed::Feeds feeds(world.storage, world.clock);
  feeds.after_read(UserNumber{9}, feeds.page(SmallWorld::asking(9)).upkeep);
  CHECK_FALSE(world.timeline(9));
  CHECK_FALSE(feeds.rebuild(UserNumber{9}));
  world.leave(1);
  CHECK(world.page(1).items.empty());
  CHECK_FALSE(feeds.rebuild(UserNumber{1}));
}

// Somebody follows between the walk and the first timelines that are stored.
class FollowedMeanwhile final : public ForwardingStorage {
 public:
  explicit FollowedMeanwhile(SmallWorld& world) : ForwardingStorage(world.storage), world_(world) {}
  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    if (++transactions == 1) world_.follow(2, 5);
    return ForwardingStorage::decide(now, purpose, decision);
  }
  int transactions = 0;

 private:
  SmallWorld& world_;
};

TEST_CASE("rebuild: many at once are stored together, and only those that changed again") {
  SmallWorld world(6);
  world.follow(1, 5);
  world.follow(2, 6);
  world.follow(3, 6);
  const PostId of_5 = world.post(5);
  const PostId of_6 = world.post(6);
  world.leave(4);
  FollowedMeanwhile storage(world);
  feed::Feeds feeds(storage, world.clock);
  const std::vector<UserNumber> viewers{UserNumber{1}, UserNumber{2}, UserNumber{3}};
  CHECK(feeds.rebuild(viewers) == 3);
  CHECK(storage.transactions == 2);
  CHECK(world.held(1) == Ids{of_5});
  CHECK(world.held(2) == Ids{of_6, of_5});
  CHECK(world.held(3) == Ids{of_6});
  const std::vector<UserNumber> others{UserNumber{1}, UserNumber{4}, UserNumber{9}};
  CHECK(feeds.rebuild(others) == 1);
  CHECK_FALSE(world.timeline(4));
}

TEST_CASE("build: what is kept is the newest, and the mark says whether anything is below") {
  SmallWorld world(2, capped(3));
  world.follow(1, 2);
  const Ids three = world.posts(2, 3);
  auto built = feed::build_timeline(*world.storage.snapshot(), UserNumber{1}, world.clock);
  REQUIRE(built);
  CHECK(built->timeline.complete_from == kBelowAllPosts);
  CHECK(built->timeline.entries.size() == 3);
  CHECK(built->following == std::vector{UserNumber{2}});
  world.post(1);
  built = feed::build_timeline(*world.storage.snapshot(), UserNumber{1}, world.clock);
  CHECK(built->timeline.complete_from == three[1]);
  CHECK(built->timeline.entries.size() == 3);
  CHECK(built->timeline.entries[0].origin == Origin::kBackfilled);
  CHECK(built->log_end == world.state().log_end);
}

TEST_CASE("build: a timeline longer than a page is whole") {
  SmallWorld world(2, capped(100));
  world.follow(1, 2);
  const Ids posts = world.posts(2, 70);
  const auto built = feed::build_timeline(*world.storage.snapshot(), UserNumber{1}, world.clock);
  REQUIRE(built->timeline.entries.size() == 70);
  for (std::size_t i = 0; i < 70; ++i) CHECK(built->timeline.entries[i].id == posts[69 - i]);
  CHECK(built->timeline.complete_from == kBelowAllPosts);
}

}  // namespace chirp::test::home_feed_test
