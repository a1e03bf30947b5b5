// Helpers of the contract suite for stores: a store under test with its own clock, the consumers in
// their simplest form, and the invariants that always hold.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ports/steps.h"
#include "core/ports/storage.h"
#include "tests/support/stores.h"

namespace chirp::test {

// More than any test creates.
inline constexpr std::uint32_t kAll = 1'000'000;
inline constexpr Time kStart{snowflake::kEpochMs + 800'000'000'123};

class Subject {
 public:
  explicit Subject(const StoreKind& kind);

  [[nodiscard]] Storage& storage() const { return store_->storage(); }
  // A snapshot of the current state.
  [[nodiscard]] std::unique_ptr<Snapshot> see() const {
    auto snapshot = storage().snapshot();
    (void)snapshot->state();
    return snapshot;
  }
  [[nodiscard]] StoreState state() const { return see()->state(); }

  Time now = kStart;

  // One change in a commit of its own.
  Outcome apply(const Change& change);
  // Adds `count` users, with the next numbers.
  std::vector<UserNumber> users(std::uint32_t count);
  PostId post(UserNumber author);
  void follow(UserNumber follower, UserNumber followee);
  // Events from `from` to the end.
  [[nodiscard]] std::vector<events::Event> events(Sequence from = Sequence{1}) const;
  // The sequence of the next event.
  [[nodiscard]] Sequence log_end() const { return state().log_end; }
  [[nodiscard]] std::vector<std::uint64_t> timeline_ids(UserNumber viewer) const;
  [[nodiscard]] feed::AuthorMark mark(UserNumber author) const;
  [[nodiscard]] UserCounters counters(UserNumber user) const;
  [[nodiscard]] ContentCounters counted(ContentId content) const;
  void change_settings(const std::function<void(feed::FeedSettings&)>& edit);

  // Runs the consumers until nothing is pending.
  void drain();

 private:
  std::unique_ptr<TestStore> store_;
  std::uint32_t users_ = 0;
};

// Runs `body` on a new store of each kind.
void for_each_store(const std::function<void(Subject&)>& body);

[[nodiscard]] AuthorCard card(std::uint32_t number);
// Adds cards of users 1 to `count`, at kStart.
void sign_up(Storage& storage, std::uint32_t count);

// Delivers the posts in the events from `from` to before `to` to their authors and followers,
// except posts that are not to be pushed.
[[nodiscard]] FanOutStep fan_out_step(const Snapshot& snapshot, Sequence to);
[[nodiscard]] CounterStep counter_step(const Snapshot& snapshot, Sequence to);
// Processes everything up to the end of the log.
[[nodiscard]] NotificationStep notification_step(const Snapshot& snapshot, std::uint32_t keep);
[[nodiscard]] TrendStep trend_step(const Snapshot& snapshot, Time since, std::uint32_t drop);
// The newest posts of the viewer's feed; only removed ones are left out.
[[nodiscard]] BuiltTimeline built_timeline(const Snapshot& snapshot, UserNumber viewer);

// Checks the invariants of any state: timelines, counters equal to what they count, edges in both
// directions, stable tiers. Returns one line for each breach.
[[nodiscard]] std::vector<std::string> breaches(const Snapshot& snapshot);
// Returns the first breach, or empty.
[[nodiscard]] std::string first_breach(const Storage& storage);

}  // namespace chirp::test
