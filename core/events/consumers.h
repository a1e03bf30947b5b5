// The consumers of the event log, each with its own durable offset.
//
// An event takes effect exactly once: the offset moves in the transaction of the effects, and only
// if it is still where the step began. A consumer is given only the topics it is bound to.
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
};  // kOvertaken: somebody else moved it

// Bound to `post.*`, `repost.*` and `follow.*`: keeps the timelines. A post goes to the first
// limits::kFanOutChunk followers at once; for the rest it becomes a queued row, and authors with
// such rows take turns, a chunk at a time. Live posts of the log come before them.
//
// Under load nothing is written for those who do not read: in a large step (FanOutBounds::large) a
// timeline goes, unless its reader's feed has been read out of the store lately, as far as this
// process knows. It is built again after the next such read, and no page tells.
class FanOut {
 public:
  static constexpr rules::TurnRows kTurnRows{2'000, 500, 1'000'000};
  // Each delivery of a turn may be on a page of its own.
  // The cost policy goes by `rates`, which outlives this.
  FanOut(Storage& storage, const Clock& clock, FanOutBounds bounds = {},
         rules::TurnRows rows = kTurnRows, const ReadRates& rates = rates_by_last_read());
  static constexpr std::string_view kBindings[] = {"post.*", "repost.*", "follow.*"};
  // Gathers and delivers until the offset has moved once.
  Progress step();
  // The same for about so long; the next call goes on with what is left of it.
  Progress go_on(std::int64_t for_ns);
  [[nodiscard]] bool under_way() const { return gathered_.has_value(); }
  // Whether what is under way is a large step, or the one before was.
  [[nodiscard]] bool is_large() const { return is_large_; }
  // Somebody's feed was read out of the store.
  void note_read(UserNumber viewer);
  // How many posts and reposts it has delivered to timelines.
  [[nodiscard]] std::uint64_t deliveries() const { return deliveries_; }
  // Called after each turn that was taken, on the thread of the step, which waits for it.
  void observe(DeliveryObserver observer) { observer_ = std::move(observer); }

 private:
  Progress gather(std::optional<Gathered>& work);
  bool flush(FanOutStep& step, const StepOutline* outline);
  void report(const FanOutStep& step, const StepOutline* outline, std::int64_t took_ns) const;
  void measure(std::int64_t took_ns, std::size_t deliveries);
  std::vector<UserNumber> leave_out_unread(std::vector<Delivery>& deliveries);
  // Large steps in which a timeline is written after a read.
  static constexpr std::uint8_t kStepsAfterRead = 3;

  Storage& storage_;
  const Clock& clock_;
  Gatherer gatherer_;
  rules::Paced turns_;                // its rows are deliveries
  std::optional<Gathered> gathered_;  // less what is delivered of it
  std::size_t large_;
  bool is_large_ = false;               // what is under way
  std::vector<std::uint8_t> readings_;  // large steps until the timeline goes, by viewer
  std::int64_t measured_ns_ = 0;        // by the last turns
  std::size_t measured_ = 0;            // deliveries of theirs
  std::uint32_t delivery_ns_ = 0;       // what one cost; told with the next turn
  std::uint64_t deliveries_ = 0;
  DeliveryObserver observer_;
};

// Bound to `post.*`, `repost.*`, `follow.*`, `reaction.*` and `comment.*`: keeps follower,
// following and post counts, and with them the tiers; and what is counted of each post and comment.
// Many changes of one counter in a turn are one write; a step takes as many turns as its counters
// need.
class Counters {
 public:
  Counters(Storage& storage, const Clock& clock, std::uint32_t events = 8192,
           rules::TurnRows rows = {500, 100, 8'000});
  static constexpr std::string_view kBindings[] = {"post.*", "repost.*", "follow.*", "reaction.*",
                                                   "comment.*"};
  Progress step();

 private:
  Storage& storage_;
  const Clock& clock_;
  rules::Paced turns_;
  Bindings bindings_;
  std::uint32_t events_;
};

// Bound to `follow.*`, `reaction.*`, `comment.*`, `repost.*` and `mention.*`: keeps what each user
// is told, as many in a turn as it has rows for.
class Notifications {
 public:
  Notifications(Storage& storage, const Clock& clock, std::uint32_t events = 4096,
                rules::TurnRows rows = {500, 100, 2'000});
  static constexpr std::string_view kBindings[] = {"follow.*", "reaction.*", "comment.*",
                                                   "repost.*", "mention.*"};
  Progress step();

 private:
  Storage& storage_;
  const Clock& clock_;
  rules::Paced turns_;
  Bindings bindings_;
  std::uint32_t events_;
};

// Bound to `post.*`, `block.*` and to suspensions: keeps the hashtags of public posts, and drops
// those that are too old to matter. Its rows are hashtags; a turn has more of them than any text.
// It also keeps what nobody but the operator sees apart from what readers walk through: posts in
// lists by hashtag, and comments. A step takes one turn of what such an event affects.
class Trends {
 public:
  Trends(Storage& storage, const Clock& clock, std::uint32_t events = 4096,
         rules::TurnRows rows = {2'000, 1'000, 4'000});
  static constexpr std::string_view kBindings[] = {"post.*", "block.*", "user.suspended",
                                                   "user.unsuspended"};
  Progress step();
  // Whether an event is taken in part.
  [[nodiscard]] bool under_way() const { return affected_.has_value(); }

 private:
  Progress settle(const Event& event, Sequence from, Time since);

  Storage& storage_;
  const Clock& clock_;
  rules::Paced turns_;
  Bindings bindings_;
  std::uint32_t events_;
  std::optional<Affected> affected_;  // of an event that is under way
};

// When a process that goes on lets fan-out run. A round rewrites each timeline that something is
// delivered to, once, so rounds that gather more write less for each delivery; and nobody sees how
// much is pending. After a large one, therefore, fan-out rests for kFanOutRest times as long as it
// took, two seconds at most, unless the tail of the log that readers look through grows long.
class FanOutTurns {
 public:
  [[nodiscard]] bool due(const StoreState& state, std::int64_t now_ns) const;
  // A part of a large round took so long; it was the last one, or not.
  void note(std::int64_t took_ns, std::int64_t now_ns, bool last);

 private:
  std::int64_t taken_ns_ = 0;  // by the parts of this round
  std::int64_t next_ns_ = 0;   // of the next round
};

// All of them, for a process that runs them again and again. One thread.
class Consumers {
 public:
  // The cost policy goes by `rates`, which outlives this.
  Consumers(Storage& storage, const Clock& clock, FanOutBounds bounds = {},
            const ReadRates& rates = rates_by_last_read());

  // While the disk reserve is reached, nothing is taken in: what adds rows pauses, and events wait.
  // Removing goes on. See Storage::refusal.
  [[nodiscard]] bool is_paused() const { return storage_.refusal(SpaceUse::kAdds).has_value(); }

  // A step of each. False if nothing was pending, or they are paused.
  bool step();
  // Somebody's feed was read out of the store.
  void note_read(UserNumber viewer) { fan_out_.note_read(viewer); }
  // As step(), but fan-out waits while that is worth it (FanOutTurns), and does not keep the others
  // waiting.
  bool step_in_turn();
  // Whether so much is pending that another step is better taken at once.
  [[nodiscard]] bool hurried(std::uint64_t events) const;
  // Removes some of what hangs on removed posts, in one short transaction. False if nothing is
  // left.
  bool remove_traces();
  // Gives some users the tiers that new bounds make, in one short turn. False if nobody waits for
  // one any more.
  bool settle_tiers();
  // What is seldom due: forgets idempotency keys whose time is over, drops events that `log.keep`
  // no longer covers, and retires marks after a switch from pull to another policy. Cheap if
  // nothing is due.
  void tidy();
  // How many posts and reposts it has delivered to timelines.
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
  Counters counters_;
  Notifications notifications_;
  Trends trends_;
  FanOutTurns turns_;
  rules::Paced traces_;
  rules::Paced trimming_;
  rules::Paced forgetting_;
  rules::Paced tiers_;  // its rows are users, of whom few have another tier, or all
};

// Gives users the tiers that new bounds make, runs all until nothing is pending and nothing is left
// of removed posts, forgets idempotency keys whose time is over, then drops events that `log.keep`
// no longer covers. After a switch from pull to another policy it retires the marks, so that
// timelines are of use again. While the disk reserve is reached it only removes; false then.
bool drain(Storage& storage, const Clock& clock);

}  // namespace chirp::events
