// Goal: the lab plays the posts of one day and no other, in their order, and its copies hold the
// past without it; the cost of work is charged to the work that was under way.
// Method: worlds of a few posts in the store in memory, with what must come out written by hand.
#include "core/lab/day.h"

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/bench/reference/written.h"
#include "cli/lab/play.h"
#include "core/error.h"
#include "core/lab/stage.h"
#include "tests/support/small_world.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test::day_test {
namespace {

constexpr std::uint64_t kAll = 1'000'000;
constexpr Time kFirst{snowflake::kEpochMs + 100 * kDayMs};  // where the world's clock begins

// Three people: on the first day 1 posts at 0:00, 1:00, …, 9:00; on the second 2 posts once.
struct World : SmallWorld {
  World() : SmallWorld(3) {
    follow(3, 1);
    follow(3, 2);
    for (int hour = 0; hour < 10; ++hour) {
      day.push_back(post(1));
      clock.advance(kHourMs);
    }
    clock.advance(kDayMs - 10 * kHourMs);
    next = post(2);
    fan_out();
    count();
  }
  [[nodiscard]] lab::PlayedDay played(const lab::DayOptions& options) const {
    return lab::day_to_play(*storage.snapshot(), options);
  }

  std::vector<PostId> day;
  PostId next;
};

std::vector<PostId> ids_of(const lab::PlayedDay& day) {
  std::vector<PostId> ids;
  for (const auto& played : day.posts) ids.push_back(played.post.id);
  return ids;
}

}  // namespace

TEST_CASE("lab day: all posts of a day at their times, and none of the days around it") {
  const World world;
  CHECK(lab::last_day_with_posts(*world.storage.snapshot()) == Time{kFirst.ms + kDayMs});
  const auto day = world.played({kFirst, {}, kAll});
  CHECK(ids_of(day) == world.day);
  CHECK(day.is_whole());
  CHECK(day.from == kFirst);
  CHECK(day.to.ms == kFirst.ms + kDayMs);
  CHECK(day.posts[3].at.ms == kFirst.ms + 3 * kHourMs);
  CHECK(ids_of(world.played({Time{kFirst.ms + kDayMs}, {}, kAll})) ==
        std::vector<PostId>{world.next});
}

TEST_CASE("lab day: if there are too many posts, the middle ones are played, with their times") {
  const World world;
  const auto day = world.played({kFirst, {}, 4});
  CHECK(ids_of(day) == std::vector<PostId>(world.day.begin() + 3, world.day.begin() + 7));
  CHECK_FALSE(day.is_whole());
  CHECK(day.posts_of_day == 10);
  CHECK(day.from.ms == kFirst.ms + 3 * kHourMs);
  CHECK(day.to.ms == kFirst.ms + 7 * kHourMs);
}

TEST_CASE("lab day: another number of posts is spread evenly over the day") {
  const World world;
  const auto twice = world.played({kFirst, 20, kAll});
  CHECK(twice.posts.size() == 20);
  CHECK(twice.posts[6].post.id == world.day[3]);
  CHECK(twice.posts[7].post.id == world.day[3]);
  CHECK(twice.posts[0].at.ms == kFirst.ms + kDayMs / 40);
  CHECK(twice.posts[19].at.ms == kFirst.ms + kDayMs - kDayMs / 40);
  const auto half = world.played({kFirst, 5, kAll});
  CHECK(ids_of(half) ==
        std::vector<PostId>{world.day[0], world.day[2], world.day[4], world.day[6], world.day[8]});
  const auto part = world.played({kFirst, 20, 10});
  CHECK(part.from.ms == kFirst.ms + kDayMs * 11 / 40);
  CHECK(part.to.ms == kFirst.ms + kDayMs * 31 / 40);
}

TEST_CASE("lab day: a day without posts, and one that is over in no time, are refused") {
  const World world;
  const Time empty{kFirst.ms + 5 * kDayMs};
  CHECK(code_of([&] { (void)world.played({empty, {}, kAll}); }) == ErrorCode::kNotFound);
  SmallWorld quick(1);
  quick.posts(1, 9);
  const auto play = [&] { (void)lab::day_to_play(*quick.storage.snapshot(), {kFirst, {}, 3}); };
  CHECK(code_of(play) == ErrorCode::kInvalidArgument);
}

TEST_CASE("lab stage: a copy holds what was before, and ids go on from the day") {
  World world;
  const PostId before = world.day[2];
  const Time from{kFirst.ms + 3 * kHourMs};
  world.clock.advance(from.ms - world.clock.now().ms);
  lab::clear_from(world.storage, world.clock, from);
  CHECK(SmallWorld::ids(world.page(3)) == std::vector<PostId>{before, world.day[1], world.day[0]});
  CHECK_FALSE(world.timeline(3));
  CHECK(world.state().push_from_all == feed::kNeverPushed);
  CHECK(world.storage.snapshot()->counters(std::vector{UserNumber{1}}).front().posts == 3);

  feed::FeedSettings settings;
  settings.policy = feed::Policy::kPush;
  lab::settle_policy(world.storage, world.clock, settings);
  CHECK(world.state().push_from_all == feed::kAlwaysPushed);
  const PostId minted = world.post(1);
  CHECK(snowflake::time_of(minted.value) == from);
  CHECK(SmallWorld::ids(world.page(3, 1)) == std::vector<PostId>{minted});
}

TEST_CASE("lab stage: only users who have read lately by the model have a timeline") {
  World world;
  world.clock.advance(kFirst.ms + 2 * kDayMs - world.clock.now().ms);
  lab::clear_from(world.storage, world.clock, world.clock.now());
  feed::FeedSettings settings;
  settings.policy = feed::Policy::kPush;
  lab::settle_policy(world.storage, world.clock, settings);
  std::uint64_t asked = 0;
  const auto done = [&](std::uint64_t users) { asked += users; };
  const lab::ReadModel never(1e-9, 1);
  CHECK(lab::build_timelines(world.storage, world.clock, never, done) == 0);
  CHECK(asked == 3);
  const lab::ReadModel always(1e6, 1);
  CHECK(lab::build_timelines(world.storage, world.clock, always, done) == 3);
  REQUIRE(world.timeline(3));
  CHECK(world.timeline(3)->entries.size() == 11);
}

namespace {

using cli::lab::Meter;

constexpr std::uint64_t kBytes = 1'000'000;
constexpr std::int64_t kWorkNs = 5'000'000;

void work(const TempFolder& folder) {
  std::ofstream(folder / "file") << std::string(kBytes, 'x') << std::flush;
  const std::int64_t until = cli::lab::processor_ns() + kWorkNs;
  while (cli::lab::processor_ns() < until) continue;
}

}  // namespace

TEST_CASE("lab meter: bytes and processor time go to the work that was under way") {
  const TempFolder folder;
  Meter meter;
  work(folder);
  meter.turn_to(Meter::Work::kPosts);
  work(folder);
  meter.turn_to(Meter::Work::kPosts);  // as before: it goes on
  work(folder);
  meter.turn_to(Meter::Work::kAside);
  work(folder);
  meter.turn_to(Meter::Work::kReads);
  work(folder);
  meter.turn_to(Meter::Work::kAside);
  CHECK(meter.posts().processor_ns >= 2 * kWorkNs);
  CHECK(meter.reads().processor_ns >= kWorkNs);
  if (cli::bench::bytes_handed_to_writes() == 0) return;  // a system that does not count
  CHECK(meter.posts().bytes_written >= 2 * kBytes);
  CHECK(meter.posts().bytes_written < 3 * kBytes);
  CHECK(meter.reads().bytes_written >= kBytes);
  CHECK(meter.reads().bytes_written < 2 * kBytes);
}

}  // namespace chirp::test::day_test
