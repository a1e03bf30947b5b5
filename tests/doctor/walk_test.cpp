// Goal: an examination that goes through many states of the store finds nothing in a sound
// directory, whatever others change between them, and finds what is wrong all the same.
// Method: a new state at each row, and somebody who changes something before each of them.
#include "core/ports/walk.h"

#include <functional>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/doctor/edge_sums.h"
#include "core/events/consumers.h"
#include "core/rules/writing.h"
#include "tests/support/doctor_village.h"
#include "tests/support/fake_clock.h"
#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

using doctor::Finding;
using doctor::FindingKind;

// Somebody who does something else each time.
class Busybody {
 public:
  Busybody(Engine& engine, std::uint64_t seed) : engine_(engine), random_(seed) {
    for (int i = 0; i < 7; ++i) names_.push_back(fmt::format("a{}", i));
  }

  void act() {
    if (busy_) return;
    busy_ = true;
    try {
      do_something();
    } catch (const Error& error) {
      // Somebody may be gone, or blocked, or have what is asked for.
      REQUIRE(error.code() != ErrorCode::kCorrupt);
    }
    ++acts_;
    busy_ = false;
  }
  [[nodiscard]] std::uint64_t acts() const { return acts_; }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  User somebody() { return engine_.accounts().resolve(names_[below(names_.size())]); }

  void do_something() {
    Storage& storage = engine_.storage();
    const Time now = engine_.clock().now();
    switch (below(9)) {
      case 0:
        sign_up_one();
        break;
      case 1: {
        const std::vector<User> other{somebody()};
        engine_.follows().remove(somebody(), other);
        break;
      }
      case 2:
      case 3: {
        const std::vector<User> other{somebody()};
        engine_.follows().add(somebody(), other);
        break;
      }
      case 4:
      case 5: {
        const Change change = Publish{somebody().number, fmt::format("#tag {}", acts_)};
        (void)storage.write({&change, 1}, now);
        break;
      }
      case 6:
        events::drain(storage, engine_.clock());
        break;
      case 7:
        if (acts_ % 16 == 0 && names_.size() > 4) {
          const std::string name = names_.back();
          names_.pop_back();
          engine_.accounts().remove(engine_.accounts().resolve(name));
        }
        break;
      default:
        engine_.feeds().rebuild(somebody().number);
    }
  }

  void sign_up_one() {
    if (names_.size() > 40) return;
    social::SignUp sign_up;
    sign_up.username = fmt::format("n{}", acts_);
    engine_.accounts().add(sign_up);
    names_.push_back(sign_up.username);
  }

  Engine& engine_;
  std::mt19937_64 random_;
  std::vector<std::string> names_;
  std::uint64_t acts_ = 0;
  bool busy_ = false;
};

// An examination with a new state at each row, and `between` before each of the first ones: who
// signs up at every look there is would keep it going for ever.
std::vector<Finding> examine_beside(Engine& engine, const std::function<void()>& between) {
  constexpr int kMost = 1500;
  int times = 0;
  doctor::ExamineOptions options;
  options.walk.state_ns = 0;
  options.walk.between = [&] {
    if (++times <= kMost) between();
  };
  options.users_at_once = 5;
  return doctor::examine(engine, options);
}

}  // namespace

TEST_CASE("doctor: whatever others change between two states, there are no findings") {
  for (std::uint64_t round = 0; round < 3; ++round) {
    const std::uint64_t seed = first_seed() + round;
    CAPTURE(seed);
    const Village village;
    Opened opened(village.path());
    Busybody busybody(opened.engine(), seed);
    for (int i = 0; i < 60; ++i) busybody.act();
    const auto found = examine_beside(opened.engine(), [&] { busybody.act(); });
    CHECK(words(found) == "");
    CHECK(busybody.acts() > 200);
  }
}

TEST_CASE("doctor: an edge that one direction lacks is found while others change everything") {
  const Village village;
  village.damage([](lmdb::WriteTxn& txn) {
    txn.erase(lmdb::Table::kFollowers, row_key(txn, lmdb::Table::kFollowers, 2));
  });
  Opened opened(village.path());
  int n = 0;
  const auto found = examine_beside(opened.engine(), [&] {
    const Change change = Publish{UserNumber{1}, fmt::format("post {}", ++n)};
    (void)opened.engine().storage().write({&change, 1}, opened.engine().clock().now());
  });
  INFO(words(found));
  CHECK(has(found, FindingKind::kEdge));
  CHECK(words(found).find("but is not among their followers") != std::string::npos);
  CHECK(n > 100);
}

TEST_CASE("doctor: a follow that comes and goes around a walk leaves nothing behind") {
  const Village village;
  Opened opened(village.path());
  Engine& engine = opened.engine();
  const User one = engine.accounts().resolve("a1");
  const std::vector<User> other{engine.accounts().resolve("a5")};
  bool is_there = false;
  const auto found = examine_beside(engine, [&] {
    is_there = !is_there;
    if (is_there) {
      engine.follows().add(one, other);
    } else {
      engine.follows().remove(one, other);
    }
  });
  CHECK(words(found) == "");
}

TEST_CASE("doctor: sums of edges are zero where both directions say the same") {
  doctor::EdgeSums sums(UserNumber{1}, 3);
  const Time monday{1'000};
  const Time tuesday{2'000};
  sums.add_followee(UserNumber{7}, UserNumber{2}, monday);
  CHECK_FALSE(sums.is_zero(UserNumber{2}));
  sums.add_follower(UserNumber{7}, UserNumber{2}, monday);
  CHECK(sums.is_zero(UserNumber{2}));
  CHECK(sums.followers(UserNumber{2}) == 1);
  // Another follower, at another time, twice.
  sums.add_followee(UserNumber{7}, UserNumber{3}, monday);
  sums.add_follower(UserNumber{8}, UserNumber{3}, monday);
  CHECK_FALSE(sums.is_zero(UserNumber{3}));
  sums.add_followee(UserNumber{2}, UserNumber{1}, monday);
  sums.add_follower(UserNumber{2}, UserNumber{1}, tuesday);
  CHECK_FALSE(sums.is_zero(UserNumber{1}));
  CHECK(sums.following(UserNumber{2}) == 1);
  // Users outside of the range count for nothing.
  CHECK_FALSE(sums.has(UserNumber{4}));
  CHECK_FALSE(sums.has(UserNumber{0}));
  sums.add_followee(UserNumber{4}, UserNumber{5}, monday);
}

TEST_CASE("doctor: of many timelines a sample is checked, and the report says how many") {
  const Village village;
  Opened opened(village.path());
  doctor::Checked timelines;
  doctor::ExamineOptions options;
  options.timelines_max = 3;
  options.checked = [&](const doctor::Checked& checked) {
    if (checked.what == "timelines") timelines = checked;
  };
  CHECK(doctor::examine(opened.engine(), options).empty());
  CHECK(timelines.of == 7);
  CHECK(timelines.count >= 2);
  CHECK(timelines.count <= 3);
  options.timelines_max = 7;
  CHECK(doctor::examine(opened.engine(), options).empty());
  CHECK(timelines.of == 0);
  CHECK(timelines.count == 7);
}

TEST_CASE("doctor: the progress reaches the end and never goes back") {
  const Village village;
  FakeClock clock(store::system_clock()->now(), 200'000'000);
  Opened opened(village.path(), clock);
  std::uint64_t last = 0;
  std::uint64_t all = 0;
  doctor::ExamineOptions options;
  options.walk.reached = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(done >= last);
    CHECK(done <= total);
    last = done;
    all = total;
  };
  CHECK(words(doctor::examine(opened.engine(), options)) == "");
  CHECK(all > 0);
  CHECK(last > 0);
}

TEST_CASE("walk: a state is given up after its time, and once it keeps too much from being used") {
  const Village village;
  Opened opened(village.path());
  Storage& storage = opened.directory().storage();
  const auto publish_one = [&] {
    const Change change = Publish{UserNumber{1}, "one more"};
    (void)storage.write({&change, 1}, opened.engine().clock().now());
  };
  const auto rest = [](Walk& walk) {
    for (int i = 0; i < 64; ++i) walk.rest();
  };
  const auto snapshot = storage.snapshot();
  const Sequence before = snapshot->state().log_end;
  constexpr std::int64_t kHour = std::int64_t{3'600'000'000'000};
  FakeClock clock(Time{snowflake::kEpochMs + 100 * kDayMs}, 200'000'000);
  {
    Walk walk(*snapshot, clock, {.state_ns = kHour});
    publish_one();
    CHECK(snapshot->held_back() > 0);
    rest(walk);
    CHECK(walk.states() == 0);
    CHECK(snapshot->state().log_end == before);
  }
  {
    Walk walk(*snapshot, clock, {.state_ns = kHour, .held_bytes = 1});
    rest(walk);
    CHECK(walk.states() == 1);
    CHECK(snapshot->state().log_end > before);
    CHECK(snapshot->held_back() == 0);
  }
  const Sequence then = snapshot->state().log_end;
  {
    Walk walk(*snapshot, clock, {.state_ns = 300'000'000});
    publish_one();
    rest(walk);
    CHECK(walk.states() > 0);
    CHECK(snapshot->state().log_end > then);
  }
  Walk still(*snapshot);
  publish_one();
  rest(still);
  CHECK(still.states() == 0);
}

}  // namespace chirp::test
