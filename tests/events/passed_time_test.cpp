// Goal: a clock that is far ahead for a moment takes nothing away that is kept for a time.
// Method: a clock that leaps and goes back, over the stores in memory and on the disk; what is kept
// for a time is looked at afterwards.
#include <array>

#include <doctest/doctest.h>

#include "core/doctor/doctor.h"
#include "core/events/consumers.h"
#include "core/limits.h"
#include "core/model/passing.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "tests/support/doctor_village.h"
#include "tests/support/fake_clock.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

constexpr std::int64_t kYears = 1500 * kDayMs;

// One who posts a hashtag, with a key.
void post(Subject& s, UserNumber author, const std::string& key) {
  s.apply(Publish{author, "about #frost", Privacy::kPublic, {}, {}, key});
}

void drain(Subject& s) {
  const FakeClock clock(s.now);
  events::drain(s.storage(), clock);
}

std::size_t tagged(Subject& s) {
  return reads::tagged_posts(*s.see(), kAboveAllPosts, kAll).size();
}

}  // namespace

TEST_CASE("passed time: a leap is believed once it has stood for an hour") {
  const Time start{800'000'000'000};
  TrustedTime passed;
  CHECK(passed.at(start) == start);
  passed.see(start);
  const Time day_later{start.ms + kDayMs};
  CHECK(passed.at(day_later) == day_later);
  const Time ahead{start.ms + kYears};
  CHECK(passed.at(ahead) == start);
  passed.see(ahead);
  passed.see(Time{ahead.ms + kHourMs - 1});
  CHECK(passed.at(ahead) == start);
  passed.see(Time{ahead.ms + kHourMs});
  CHECK(passed.at(ahead) == ahead);
  CHECK(passed.until.ms == ahead.ms + kHourMs);
}

TEST_CASE("passed time: a clock that goes back is believed at once, and its leap forgotten") {
  const Time start{800'000'000'000};
  TrustedTime passed;
  passed.see(start);
  passed.see(Time{start.ms + kYears});
  CHECK_FALSE(passed.was_ahead(Time{start.ms + kYears}));  // who knows
  passed.see(Time{start.ms + 5});
  CHECK(passed.until.ms == start.ms + 5);
  CHECK(passed.leap == Time{});
  CHECK(passed.was_ahead(Time{start.ms + kYears}));
  CHECK_FALSE(passed.was_ahead(Time{start.ms + kHourMs}));
  passed.see(Time{start.ms - kYears});
  CHECK(passed.until.ms == start.ms - kYears);
}

TEST_CASE("passed time: a load with a time of its own is no look at the clock") {
  for_each_store([](Subject& s) {
    const auto u = s.users(2);
    post(s, u[0], "one");
    const TrustedTime before = s.state().passed;
    const std::array edges{LoadedEdge{u[0], u[1]}};
    (void)rules::load_edges(s.storage(), edges, Time{s.now.ms + kYears});
    CHECK(s.state().log_end.value > 0);
    CHECK(s.state().passed == before);
  });
}

TEST_CASE("passed time: hashtags, keys and the log outlast a moment far ahead") {
  for_each_store([](Subject& s) {
    const auto u = s.users(1);
    post(s, u[0], "one");
    drain(s);
    const Sequence first = s.state().log_first;
    s.now.ms += kYears;
    post(s, u[0], "two");
    drain(s);
    CHECK(tagged(s) == 2);
    CHECK(s.state().log_first == first);
    s.now.ms -= kYears - kMinuteMs;
    drain(s);
    CHECK(tagged(s) == 2);
    CHECK(s.apply(Publish{u[0], "about #frost", Privacy::kPublic, {}, {}, "one"}).result ==
          Result::kAlready);
    post(s, u[0], "three");
    drain(s);
    CHECK(tagged(s) == 3);
    CHECK(s.state().log_first == first);
  });
}

TEST_CASE("passed time: a leap that lasts is the time, and what is old by it is removed") {
  for_each_store([](Subject& s) {
    const auto u = s.users(1);
    post(s, u[0], "one");
    drain(s);
    s.now.ms += kYears;
    post(s, u[0], "two");
    drain(s);
    s.now.ms += kHourMs;
    post(s, u[0], "three");
    drain(s);
    CHECK(tagged(s) == 2);
    CHECK(s.state().log_first > Sequence{1});
    CHECK(*s.see()->oldest_key() > Time{kStart.ms + kDayMs});
  });
}

TEST_CASE("passed time: an event of a moment far ahead does not keep the log for ever") {
  for_each_store([](Subject& s) {
    const auto u = s.users(1);
    s.now.ms += kYears;
    post(s, u[0], {});
    s.now.ms -= kYears;
    post(s, u[0], {});
    drain(s);
    for (int day = 0; day < 20; ++day) {
      s.now.ms += kDayMs - kMinuteMs;
      post(s, u[0], {});
      drain(s);
    }
    const auto events = s.events(s.state().log_first);
    CHECK(events.size() < 10);
    CHECK(events.front().time.ms > s.now.ms - 8 * kDayMs);
  });
}

TEST_CASE("doctor: a clock that was in 2030 for a moment leaves nothing wrong") {
  const Village village;
  FakeClock clock(test_clock().now());
  Opened opened(village.path(), clock);
  Engine& engine = opened.engine();
  const auto write = [&](const std::string& text) {
    engine.posts().publish(engine.accounts().resolve("a1"), text);
    events::drain(engine.storage(), clock);
  };
  for (int i = 0; i < 5; ++i) {
    write("#frost of this week");
    clock.advance(kHourMs);
  }
  clock.advance(kYears);
  write("#snow of another");
  CHECK(words(opened.examine()).empty());
  clock.advance(-kYears);
  CHECK(words(opened.examine()).empty());
  write("#frost again");
  CHECK(words(opened.examine()).empty());
  CHECK(reads::tagged_posts(*engine.storage().snapshot(), kAboveAllPosts, kAll).size() == 7);
}

}  // namespace chirp::test
