// Goal: a caller whose time is over leaves a group of writers, learns what that means for its
// changes, and does not delay others.
// Method: a store behind a gate that holds the first transaction in its turn; deadlines that are
// over.
#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/ports/caller.h"
#include "server/engine/grouped_storage.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_clock.h"
#include "tests/support/storage_contract.h"
#include "tests/support/stores.h"

namespace chirp::test::group_deadlines_test {
namespace {

class Gate final : public ForwardingStorage {
 public:
  using ForwardingStorage::ForwardingStorage;

  bool decide(Time now, Purpose purpose, const Decision& decision) override {
    return inner_.decide(now, purpose, [&](Rows& rows) {
      const bool changed = decision(rows);
      if (!came_.exchange(true)) opened_.get_future().wait();
      return changed;
    });
  }
  // The first one has come, and nobody joins it any more.
  void wait_for_first() const {
    CHECK(eventually([this] { return came_.load(); }));
  }
  void open() { opened_.set_value(); }

 private:
  std::atomic<bool> came_{false};
  std::promise<void> opened_;
};

// One at which a thread waits at one of its looks.
class LookedAtClock final : public FakeClock {
 public:
  explicit LookedAtClock(std::function<void()> wait) : wait_(std::move(wait)) {}
  static void wait_at_look(int look) { left = look; }
  [[nodiscard]] std::int64_t steady_ns() const override {
    if (left > 0 && --left == 0) wait_();
    return FakeClock::steady_ns();
  }

 private:
  static thread_local int left;
  const std::function<void()> wait_;
};
thread_local int LookedAtClock::left = 0;

struct World {
  World() { sign_up(kept->storage(), 3); }

  // What becomes of a post: the field and the words of the error.
  std::future<std::string> post(std::uint32_t author, bool is_late, int look = 0) {
    return std::async(std::launch::async, [this, author, is_late, look] {
      std::optional<CallerDeadline> over;
      if (is_late) over.emplace(0);
      LookedAtClock::wait_at_look(look);
      const Change change = Publish{UserNumber{author}, "text"};
      try {
        (void)group->write({&change, 1}, kStart);
        return std::string("written");
      } catch (const Error& error) {
        return error.field() + ": " + error.what();
      }
    });
  }
  [[nodiscard]] bool has_post_of(std::uint32_t author) const {
    return !kept->storage()
                .snapshot()
                ->author_entries(std::vector{UserNumber{author}}, {kBelowAllPosts, kAboveAllPosts},
                                 Direction::kDown, 1)
                .empty();
  }

  std::unique_ptr<TestStore> kept = store_kinds().front().make();
  Gate gate{kept->storage()};
  LookedAtClock clock{[this] { gate.wait_for_first(); }};
  Metrics metrics;
  std::unique_ptr<GroupedStorage> group = group_writes(gate, clock, metrics, [] {});
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("group commit: a caller without time leaves, and nothing of it is written") {
  World world;
  auto first = world.post(1, false);
  world.gate.wait_for_first();
  CHECK(world.post(2, true).get() == ": Writing took too long. Nothing was changed. Try again.");
  auto last = world.post(3, false);
  world.gate.open();
  CHECK(first.get() == "written");
  CHECK(last.get() == "written");
  CHECK_FALSE(world.has_post_of(2));
  CHECK(world.has_post_of(3));
}

TEST_CASE("group commit: for a caller whose changes are being written the outcome is unknown") {
  World world;
  // The first look is for when it came, the second for what is left.
  CHECK(world.post(2, true, 2).get().starts_with("outcome: "));
  auto last = world.post(3, false);
  world.gate.open();
  CHECK(last.get() == "written");
  CHECK(world.has_post_of(2));
}

TEST_SUITE_END();

}  // namespace chirp::test::group_deadlines_test
