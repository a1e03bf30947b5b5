// Goal: fan-out delivers every post to every timeline that must hold it, whatever the size of the
// audience, and moves its offset only with what it has written.
// Method: the gathering and the flush apart, over small worlds in the in-memory store.
#include <algorithm>
#include <map>
#include <random>

#include <doctest/doctest.h>

#include "core/events/consumers.h"
#include "core/events/delivery_set.h"
#include "core/events/gatherer.h"
#include "core/rules/writing.h"
#include "tests/support/small_world.h"

namespace chirp::test::fan_out_test {
namespace {

using events::FanOut;
using events::FanOutBounds;
using events::Gathered;
using events::Gatherer;
using events::Progress;
using Ids = std::vector<PostId>;

Gatherer gatherer(FanOutBounds bounds = {}) {
  return {events::Bindings(FanOut::kBindings), bounds};
}

Gathered gathered(const SmallWorld& world, Gatherer& from) {
  auto work = from.gather(*world.storage.snapshot(), world.clock.now());
  REQUIRE(work);
  return std::move(*work);
}

FanOutStep all_of(Gathered work) {
  auto step = work.next_part(1'000'000);
  REQUIRE(step);
  CHECK_FALSE(work.next_part(1'000'000));
  return std::move(*step);
}

feed::FeedSettings tiers(std::uint64_t influencer_from, std::uint64_t celebrity_above) {
  feed::FeedSettings settings;
  settings.influencer_from = influencer_from;
  settings.celebrity_above = celebrity_above;
  return settings;
}

bool in_order(const std::vector<Delivery>& deliveries) {
  return std::is_sorted(deliveries.begin(), deliveries.end(),
                        [](const Delivery& a, const Delivery& b) {
                          return a.viewer != b.viewer ? a.viewer < b.viewer : a.post > b.post;
                        });
}

}  // namespace

TEST_CASE("fan-out: a post reaches its author and every follower, and nobody else") {
  SmallWorld world(4);
  world.follow(2, 1);
  world.follow(3, 1);
  const PostId post = world.post(1);
  world.fan_out();
  for (const std::uint32_t viewer : {1u, 2u, 3u}) CHECK(world.held(viewer) == Ids{post});
  CHECK(world.held(4).empty());
  CHECK(world.state().fan_out == world.state().log_end);
}

TEST_CASE("fan-out: deliveries come by viewer and newest first") {
  SmallWorld world(5);
  for (const std::uint32_t follower : {5u, 3u, 4u}) {
    world.follow(follower, 1);
    world.follow(follower, 2);
  }
  const PostId first = world.post(2);
  const PostId second = world.post(1);
  auto from = gatherer();
  const FanOutStep step = all_of(gathered(world, from));
  CHECK(step.deliveries.size() == 8);
  CHECK(in_order(step.deliveries));
  CHECK(step.deliveries.back().viewer == UserNumber{5});
  CHECK(step.deliveries.back().post == first);
  CHECK(step.deliveries[6].post == second);
  CHECK(step.to == world.state().log_end);
}

TEST_CASE("fan-out: a set as large as a flush is put in order like a small one") {
  std::mt19937_64 random(7);
  events::DeliverySet set;
  std::size_t expected = 0;
  for (std::uint32_t i = 0; i < 50; ++i) {
    std::vector<UserNumber> viewers;
    for (int j = 0; j < 400; ++j) {
      viewers.push_back(UserNumber{static_cast<std::uint32_t>(random() >> (random() % 32 + 32))});
    }
    std::sort(viewers.begin(), viewers.end());
    viewers.erase(std::unique(viewers.begin(), viewers.end()), viewers.end());
    expected += viewers.size();
    set.deliver(PostId{random()}, UserNumber{i + 1}, set.add_audience(std::move(viewers)));
  }
  CHECK(set.size() == expected);
  set.sort();
  CHECK(in_order(set.part(0, set.size())));

  std::size_t seen = 0;
  UserNumber last = kNobody;
  for (std::size_t begin = 0; begin < set.size();) {
    const std::size_t end = set.part_end(begin, 1000);
    const auto part = set.part(begin, end);
    CHECK((seen == 0 || part.front().viewer > last));
    last = part.back().viewer;
    seen += part.size();
    begin = end;
  }
  CHECK(seen == expected);
}

TEST_CASE("fan-out: a step in parts moves the offset with the last one") {
  SmallWorld world(6);
  for (std::uint32_t follower = 2; follower <= 6; ++follower) world.follow(follower, 1);
  world.fan_out();
  const PostId post = world.post(1);
  const Sequence before = world.state().fan_out;
  auto from = gatherer();
  Gathered work = gathered(world, from);
  for (int part = 0; part < 3; ++part) {
    CAPTURE(part);
    const auto step = work.next_part(2);
    REQUIRE(step);
    CHECK(step->deliveries.size() == 2);
    REQUIRE(rules::commit(world.storage, *step, world.clock.now()));
    CHECK(world.state().fan_out == (part < 2 ? before : world.state().log_end));
    CHECK(world.state().fan_out_reach == world.state().log_end);
    for (std::uint32_t viewer = 1; viewer <= 6; ++viewer) {
      CHECK(SmallWorld::ids(world.page(viewer)) == Ids{post});
    }
  }
  CHECK_FALSE(work.next_part(2));
}

TEST_CASE(
    "fan-out: a timeline walked before a step cannot be stored once a part of it is written") {
  SmallWorld world(3);
  world.follow(1, 3);
  world.follow(2, 3);
  world.fan_out();
  rules::drop_timeline(world.storage, UserNumber{1});
  const auto built = feed::build_timeline(*world.storage.snapshot(), UserNumber{1}, world.clock);
  const PostId post = world.post(3);
  auto from = gatherer();
  Gathered work = gathered(world, from);
  REQUIRE(rules::commit(world.storage, *work.next_part(1), world.clock.now()));
  CHECK_FALSE(rules::store(world.storage, *built, Replace::kKeepValid, world.clock.now()));
  while (const auto step = work.next_part(1)) {
    REQUIRE(rules::commit(world.storage, *step, world.clock.now()));
  }
  CHECK(SmallWorld::ids(world.page(1)) == Ids{post});
}

TEST_CASE("fan-out: the second writer of a step is refused, and nothing is written") {
  SmallWorld world(2);
  world.follow(2, 1);
  world.post(1);
  auto one = gatherer();
  auto other = gatherer();
  const FanOutStep first = all_of(gathered(world, one));
  const FanOutStep second = all_of(gathered(world, other));
  CHECK(rules::commit(world.storage, first, world.clock.now()));
  const auto version = world.state().fan_out;
  CHECK_FALSE(rules::commit(world.storage, second, world.clock.now()));
  CHECK(world.state().fan_out == version);
  CHECK(FanOut(world.storage, world.clock).step() == Progress::kIdle);
}

TEST_CASE("fan-out: a big audience is served in chunks, and the post is pending until the last") {
  SmallWorld world(8);
  for (std::uint32_t follower = 2; follower <= 8; ++follower) world.follow(follower, 1);
  world.count();
  const PostId post = world.post(1);
  FanOut consumer(world.storage, world.clock, {100, 1, 3});
  std::vector<std::uint64_t> queued;
  while (consumer.step() != Progress::kIdle) {
    queued.push_back(world.state().fan_out_queue);
    for (std::uint32_t viewer = 1; viewer <= 8; ++viewer) {
      CHECK(SmallWorld::ids(world.page(viewer)) == Ids{post});
    }
  }
  CHECK(std::count(queued.begin(), queued.end(), 1u) >= 2);
  CHECK(queued.back() == 0);
  for (std::uint32_t viewer = 1; viewer <= 8; ++viewer) CHECK(world.held(viewer) == Ids{post});
}

TEST_CASE("fan-out: what is reported of a post is what timelines took in, and its end comes once") {
  SmallWorld world(8);
  for (std::uint32_t follower = 2; follower <= 8; ++follower) world.follow(follower, 1);
  world.count();
  rules::drop_timeline(world.storage, UserNumber{5});
  const PostId post = world.post(1);
  const PostId other = world.post(2);
  FanOut consumer(world.storage, world.clock, {100, 1, 3}, {1, 1, 2});
  std::map<PostId, std::uint64_t> timelines;
  Ids finished;
  consumer.observe([&](const events::DeliveryReport& report) {
    for (const events::PostDeliveries& one : report.delivered) {
      CHECK(std::ranges::find(finished, one.post) == finished.end());
      timelines[one.post] += one.timelines;
      CHECK(one.author == UserNumber{one.post == post ? 1U : 2U});
    }
    finished.insert(finished.end(), report.finished.begin(), report.finished.end());
    CHECK(report.fetched.empty());
  });
  while (consumer.step() != Progress::kIdle) continue;
  CHECK(timelines == std::map<PostId, std::uint64_t>{{post, 7}, {other, 1}});
  std::ranges::sort(finished);
  CHECK(finished == Ids{post, other});
  CHECK(consumer.deliveries() == 8);
}

TEST_CASE("fan-out: a post that nobody is pushed is reported as fetched") {
  SmallWorld world(3, tiers(1, 1));
  world.follow(2, 1);
  world.follow(3, 1);
  world.count();
  const PostId post = world.post(1);
  FanOut consumer(world.storage, world.clock);
  Ids fetched;
  consumer.observe([&](const events::DeliveryReport& report) {
    CHECK(report.delivered.empty());
    CHECK(report.finished.empty());
    fetched.insert(fetched.end(), report.fetched.begin(), report.fetched.end());
  });
  while (consumer.step() != Progress::kIdle) continue;
  CHECK(fetched == Ids{post});
  CHECK(consumer.deliveries() == 0);
}

TEST_CASE("fan-out: authors with big audiences take turns") {
  SmallWorld world(12);
  for (std::uint32_t follower = 3; follower <= 12; ++follower) {
    world.follow(follower, 1);
    world.follow(follower, 2);
  }
  world.count();
  for (int i = 0; i < 5; ++i) world.post(1);
  const PostId other = world.post(2);
  FanOut consumer(world.storage, world.clock, {100, 1, 2});
  const auto has_other = [&] {
    const Ids ids = world.held(12);
    return std::find(ids.begin(), ids.end(), other) != ids.end();
  };
  int steps = 0;
  for (; !has_other(); ++steps) {
    REQUIRE(steps < 30);
    REQUIRE(consumer.step() == Progress::kMoved);
  }
  // Six to process the log, then five chunks of the other author's posts, each after one by the
  // author who posted five times.
  CHECK(steps <= 6 + 2 * 5);
  CHECK(world.state().fan_out_queue >= 1);
  world.fan_out();
  CHECK(world.held(12).size() == 6);
}

TEST_CASE("fan-out: live posts go before queued ones") {
  SmallWorld world(8);
  for (std::uint32_t follower = 3; follower <= 8; ++follower) world.follow(follower, 1);
  world.follow(3, 2);
  world.count();
  world.post(1);
  FanOut consumer(world.storage, world.clock, {100, 2, 2});
  REQUIRE(consumer.step() == Progress::kMoved);
  CHECK(world.state().fan_out_queue == 1);
  const PostId live = world.post(2);
  REQUIRE(consumer.step() == Progress::kMoved);
  CHECK(world.held(2) == Ids{live});
  CHECK(world.held(3).front() == live);
}

TEST_CASE("fan-out: what is pulled is not delivered, nor worked off once it is queued") {
  SmallWorld world(6, tiers(2, 3));
  for (std::uint32_t follower = 2; follower <= 4; ++follower) world.follow(follower, 1);
  world.count();
  const PostId queued = world.post(1);
  FanOut consumer(world.storage, world.clock, {100, 1, 1});
  REQUIRE(consumer.step() == Progress::kMoved);
  CHECK(world.state().fan_out_queue == 1);
  world.follow(5, 1);
  world.count();  // a celebrity from here on
  const PostId famous = world.post(1);
  while (consumer.step() != Progress::kIdle) continue;
  CHECK(world.state().fan_out_queue == 0);
  CHECK(world.held(5) == Ids{queued});
  CHECK(SmallWorld::ids(world.page(5)) == Ids{famous, queued});

  world.change(feed::Policy::kPull);
  world.post(2);
  world.fan_out();
  CHECK(world.held(2) == Ids{queued});
}

TEST_CASE("fan-out: influencers' posts are not delivered to users who do not read") {
  SmallWorld world(5, tiers(2, 100));
  for (std::uint32_t follower = 2; follower <= 4; ++follower) world.follow(follower, 1);
  world.count();
  world.clock.advance(31 * kDayMs);
  rules::note_read(world.storage, UserNumber{2}, world.clock.now());
  const PostId post = world.post(1);
  world.fan_out();
  CHECK(world.held(2) == Ids{post});
  CHECK_FALSE(world.timeline(3));
  CHECK_FALSE(world.timeline(4));
  CHECK(world.timeline(5));
  CHECK(SmallWorld::ids(world.page(3)) == Ids{post});
}

TEST_CASE("fan-out: old posts that come by a load are nobody's delivery") {
  SmallWorld world(2);
  world.follow(2, 1);
  world.fan_out();
  world.load_post(1, 5, Time{world.clock.now().ms - kDayMs});
  world.fan_out();
  CHECK(world.page(2).items.size() == 1);
  CHECK_FALSE(world.page(2).warm);
}

}  // namespace chirp::test::fan_out_test
