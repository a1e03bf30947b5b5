// What the contract suite of the engine's store is written with: a store under test with a clock of
// its own, the consumers in their plainest form, and the invariants that hold whatever was done.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ports/steps.h"
#include "core/ports/storage.h"
#include "tests/support/stores.h"

namespace chirp::test {

// More than any test makes.
inline constexpr std::uint32_t kAll = 1'000'000;
inline constexpr Time kStart{snowflake::kEpochMs + 800'000'000'123};

class Subject {
 public:
  explicit Subject(const StoreKind& kind);

  [[nodiscard]] Storage& storage() const { return store_->storage(); }
  // Of the state as it is now.
  [[nodiscard]] std::unique_ptr<Snapshot> see() const {
    auto snapshot = storage().snapshot();
    (void)snapshot->state();
    return snapshot;
  }
  [[nodiscard]] StoreState state() const { return see()->state(); }

  Time now = kStart;

  // One change in a commit of its own.
  Outcome apply(const Change& change);
  // Signs up so many users, with the next numbers.
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
  void change_settings(const std::function<void(feed::FeedSettings&)>& edit);

  // The consumers take in everything there is.
  void drain();

 private:
  std::unique_ptr<TestStore> store_;
  std::uint32_t users_ = 0;
};

// Runs `body` on a fresh store of each kind.
void for_each_store(const std::function<void(Subject&)>& body);

[[nodiscard]] AuthorCard card(std::uint32_t number);
// The cards of user numbers 1 to `count`, at kStart.
void sign_up(Storage& storage, std::uint32_t count);

// Every post among the events from S to before `to`, to its author and followers, unless it is not
// to be pushed.
[[nodiscard]] FanOutStep fan_out_step(const Snapshot& snapshot, Sequence to);
[[nodiscard]] CounterStep counter_step(const Snapshot& snapshot, Sequence to);
// Of everything up to the end of the log.
[[nodiscard]] NotificationStep notification_step(const Snapshot& snapshot, std::uint32_t keep);
[[nodiscard]] TrendStep trend_step(const Snapshot& snapshot, Time since, std::uint32_t drop);
// The newest posts of the viewer's feed, removed ones alone left out.
[[nodiscard]] BuiltTimeline built_timeline(const Snapshot& snapshot, UserNumber viewer);

// What must hold of any state: the timelines' invariant, counters equal to what they count, edges
// in both directions, tiers at rest. One line for each breach.
[[nodiscard]] std::vector<std::string> breaches(const Snapshot& snapshot);
// The first of them, or nothing.
[[nodiscard]] std::string first_breach(const Storage& storage);

}  // namespace chirp::test
