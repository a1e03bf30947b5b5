// The consumers of the event log, each with its own durable offset.
//
// An event takes effect exactly once: the offset moves in the transaction that writes the effects,
// and only if it is still where the step began. A consumer gets only the topics it is bound to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/events/affected.h"
#include "core/events/cost_estimates.h"
#include "core/events/delivery_report.h"
#include "core/events/gatherer.h"
#include "core/events/inbox.h"
#include "core/ports/clock.h"
#include "core/ports/read_rates.h"
#include "core/ports/storage.h"
#include "core/rules/timed_storage.h"

namespace chirp::events {

enum class Progress : std::uint8_t {
  kIdle,
  kMoved,
  kOvertaken
};  // kOvertaken: another process moved the offset

// Bound to `post.*`, `repost.*` and `follow.*`: maintains the timelines. A post goes to the first
// limits::kFanOutChunk followers at once. The rest becomes a queued row, and authors with such rows
// take turns, one chunk each. New posts of the log come first.
//
// Under load, nothing is written for inactive users: a large step (FanOutBounds::large) drops a
// timeline unless this process has lately read that feed from the store. The next such read builds
// it again, and pages do not change.
class FanOut {
 public:
  // Each delivery of a turn may touch a different page of the database.
  static constexpr rules::TurnRows kTurnRows{2'000, 500, 1'000'000};
  // The cost policy uses `rates`, which must outlive this.
  FanOut(Storage& storage, const Clock& clock, FanOutBounds bounds = {},
         rules::TurnRows rows = kTurnRows, const ReadRates& rates = rates_by_last_read());
  static constexpr std::string_view kBindings[] = {"post.*", "repost.*", "follow.*"};
  // Gathers and delivers until the offset has moved once.
  Progress step();
  // The same for about this long; the next call continues the step.
  Progress go_on(std::int64_t for_ns);
  [[nodiscard]] bool under_way() const { return gathered_.has_value(); }
  // Whether the current or last step is large.
  [[nodiscard]] bool is_large() const { return is_large_; }
  // Notes that this feed was read from the store.
  void note_read(UserNumber viewer);
  // Number of posts and reposts delivered to timelines.
  [[nodiscard]] std::uint64_t deliveries() const { return deliveries_; }
  // Sets a function to call after each turn, synchronously on the thread of the step.
  void observe(DeliveryObserver observer) { observer_ = std::move(observer); }

 private:
  Progress gather(std::optional<Gathered>& work);
  bool flush(FanOutStep& step, const StepOutline* outline);
  void report(const FanOutStep& step, const StepOutline* outline, std::int64_t took_ns) const;
  void measure(std::int64_t took_ns, std::size_t deliveries);
  std::vector<UserNumber> leave_out_unread(std::vector<Delivery>& deliveries);
  // After a read, a timeline is written in this many large steps.
  static constexpr std::uint8_t kStepsAfterRead = 3;

  Storage& storage_;
  const Clock& clock_;
  Gatherer gatherer_;
  rules::PacedTurns turns_;           // rows are deliveries
  std::optional<Gathered> gathered_;  // the undelivered rest of a step
  std::size_t large_;
  bool is_large_ = false;               // the current or last step
  std::vector<std::uint8_t> readings_;  // large steps left until the timeline is dropped, by viewer
  std::int64_t measured_ns_ = 0;        // time of the last turns
  std::size_t measured_ = 0;            // deliveries of the last turns
  std::uint32_t delivery_ns_ = 0;       // cost of one delivery; stored with the next turn
  std::uint64_t deliveries_ = 0;
  DeliveryObserver observer_;
};

// What the consumers below have in common.
class LogConsumer {
 protected:
  // Reads at most `events` of the log at once; a turn has about `rows`.
  LogConsumer(Storage& storage, const Clock& clock, std::span<const std::string_view> bindings,
              std::uint32_t events, rules::TurnRows rows)
      : storage_(storage),
        clock_(clock),
        turns_(storage, clock, rows),
        bindings_(bindings),
        events_(events) {}

  Storage& storage_;
  const Clock& clock_;
  rules::PacedTurns turns_;
  Bindings bindings_;
  std::uint32_t events_;
};

// Bound to `post.*`, `repost.*`, `follow.*`, `reaction.*` and `comment.*`: maintains the counters
// of users, posts and comments, and the tiers. A turn combines changes of a counter into one write.
// A step takes as many turns as its counters need.
class CounterConsumer : private LogConsumer {
 public:
  static constexpr std::string_view kBindings[] = {"post.*", "repost.*", "follow.*", "reaction.*",
                                                   "comment.*"};
  CounterConsumer(Storage& storage, const Clock& clock, std::uint32_t events = 8192,
                  rules::TurnRows rows = {500, 100, 8'000})
      : LogConsumer(storage, clock, kBindings, events, rows) {}
  Progress step();
};

// Bound to `follow.*`, `reaction.*`, `comment.*`, `repost.*` and `mention.*`: stores each user's
// notifications, as many per turn as fit.
class NotificationConsumer : private LogConsumer {
 public:
  static constexpr std::string_view kBindings[] = {"follow.*", "reaction.*", "comment.*",
                                                   "repost.*", "mention.*"};
  NotificationConsumer(Storage& storage, const Clock& clock, std::uint32_t events = 4096,
                       rules::TurnRows rows = {500, 100, 2'000})
      : LogConsumer(storage, clock, kBindings, events, rows) {}
  Progress step();
};

// Bound to `post.*`, `block.*` and to suspensions: stores the hashtags of public posts, and drops
// old ones. Its rows are hashtags; a turn has more of them than any text. It also moves posts in
// lists by hashtag, and comments, that only the operator sees out of the tables for readers. A step
// takes one turn for what such an event affects.
class TrendConsumer : private LogConsumer {
 public:
  static constexpr std::string_view kBindings[] = {"post.*", "block.*", "user.suspended",
                                                   "user.unsuspended"};
  TrendConsumer(Storage& storage, const Clock& clock, std::uint32_t events = 4096,
                rules::TurnRows rows = {2'000, 1'000, 4'000})
      : LogConsumer(storage, clock, kBindings, events, rows) {}
  Progress step();
  // Whether an event is partly processed.
  [[nodiscard]] bool under_way() const { return affected_.has_value(); }

 private:
  Progress settle(const Event& event, Sequence from, Time since);

  std::optional<AffectedRows> affected_;  // rows of the current event
};

// When a long-running process runs fan-out. A round rewrites each affected timeline once, so larger
// rounds write less per delivery, and readers do not notice pending events. So after a large round,
// fan-out pauses for kFanOutRest times the round's duration, at most two seconds, unless the tail
// of the log that readers merge grows long.
class FanOutTurns {
 public:
  [[nodiscard]] bool due(const StoreState& state, std::int64_t now_ns) const;
  // Notes the duration of a part of a large round, and whether it was the last part.
  void note(std::int64_t took_ns, std::int64_t now_ns, bool last);

 private:
  std::int64_t taken_ns_ = 0;  // duration of this round's parts
  std::int64_t next_ns_ = 0;   // start of the next round
};

// All consumers, for a process that runs them repeatedly. One thread.
class Consumers {
 public:
  // The cost policy uses `rates`, which must outlive this.
  Consumers(Storage& storage, const Clock& clock, FanOutBounds bounds = {},
            const ReadRates& rates = rates_by_last_read());

  // While the disk reserve is reached, consumers pause because they add rows, and events wait.
  // Removals continue. See Storage::refusal.
  [[nodiscard]] bool is_paused() const { return storage_.refusal(SpaceUse::kAdds).has_value(); }

  // Runs one step of each. Returns false if nothing was pending, or they are paused.
  bool step();
  // Notes that this feed was read from the store.
  void note_read(UserNumber viewer) { fan_out_.note_read(viewer); }
  // Like step(), but delays fan-out while that saves work (FanOutTurns), without delaying the
  // others.
  bool step_in_turn();
  // Whether so many events are pending that the next step should run at once.
  [[nodiscard]] bool hurried(std::uint64_t events) const;
  // Removes some traces of removed posts, in one short transaction. Returns false if none are left.
  bool remove_traces();
  // Updates the tiers of some users after a change of bounds, in one short turn. Returns false if
  // none are left.
  bool settle_tiers();
  // Rare work: forgets expired idempotency keys, drops events that `log.keep` no longer covers, and
  // retires marks after a switch from pull to another policy. Cheap if nothing is due.
  void tidy();
  // Number of posts and reposts delivered to timelines.
  [[nodiscard]] std::uint64_t deliveries() const { return fan_out_.deliveries(); }
  // See FanOut::observe.
  void observe(DeliveryObserver observer) { fan_out_.observe(std::move(observer)); }

 private:
  bool take_turns();
  void trim_log();
  void forget_keys();

  Storage& storage_;
  const Clock& clock_;
  FanOut fan_out_;
  CounterConsumer counters_;
  NotificationConsumer notifications_;
  TrendConsumer trends_;
  FanOutTurns turns_;
  rules::PacedTurns traces_;
  rules::PacedTurns trimming_;
  rules::PacedTurns forgetting_;
  rules::PacedTurns tiers_;  // rows are users; few of them or all change their tier
};

// Updates tiers for new bounds, runs all consumers until nothing is pending, removes the traces of
// removed posts, forgets expired idempotency keys, then drops events that `log.keep` no longer
// covers. After a switch from pull to another policy, retires the marks so that timelines are used
// again. While the disk reserve is reached, it only removes, and returns false.
bool drain(Storage& storage, const Clock& clock);

}  // namespace chirp::events
