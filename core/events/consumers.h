// The consumers of the event log, each with its own durable offset.
//
// An event takes effect exactly once: the offset moves in the transaction of the effects, and only
// if it is still where the step began. A consumer is given only the topics it is bound to.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/events/gatherer.h"
#include "core/events/inbox.h"
#include "core/ports/clock.h"
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
class FanOut {
 public:
  FanOut(Storage& storage, const Clock& clock, FanOutBounds bounds = {});
  static constexpr std::string_view kBindings[] = {"post.*", "repost.*", "follow.*"};
  Progress step();
  // How many posts and reposts it has delivered to timelines.
  [[nodiscard]] std::uint64_t deliveries() const { return deliveries_; }

 private:
  Progress flush(Gathered& gathered, std::size_t part);

  Storage& storage_;
  const Clock& clock_;
  Gatherer gatherer_;
  std::uint32_t delivery_ns_ = 0;  // measured at the last commit; told with the next
  std::uint64_t deliveries_ = 0;
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

// Bound to `post.*`: keeps the hashtags of public posts, and drops those that are too old to
// matter. Its rows are hashtags; a turn has more of them than any text.
class Trends {
 public:
  Trends(Storage& storage, const Clock& clock, std::uint32_t events = 4096,
         rules::TurnRows rows = {2'000, 1'000, 4'000});
  static constexpr std::string_view kBindings[] = {"post.*"};
  Progress step();

 private:
  Storage& storage_;
  const Clock& clock_;
  rules::Paced turns_;
  Bindings bindings_;
  std::uint32_t events_;
};

// All of them, for a process that runs them again and again. One thread.
class Consumers {
 public:
  Consumers(Storage& storage, const Clock& clock);

  // A step of each. False if nothing was pending.
  bool step();
  // Removes some of what hangs on removed posts, in one short transaction. False if nothing is
  // left.
  bool remove_traces();
  // What is seldom due: forgets idempotency keys whose time is over, drops events that `log.keep`
  // no longer covers, and retires marks after a switch from pull to another policy. Cheap if
  // nothing is due.
  void tidy();
  // How many posts and reposts it has delivered to timelines.
  [[nodiscard]] std::uint64_t deliveries() const { return fan_out_.deliveries(); }

 private:
  void trim_log();
  void forget_keys();

  Storage& storage_;
  const Clock& clock_;
  FanOut fan_out_;
  Counters counters_;
  Notifications notifications_;
  Trends trends_;
  rules::Paced traces_;
  rules::Paced trimming_;
  rules::Paced forgetting_;
};

// Runs all until nothing is pending and nothing is left of removed posts, forgets idempotency keys
// whose time is over, then drops events that `log.keep` no longer covers. After a switch from pull
// to another policy it retires the marks, so that timelines are of use again.
void drain(Storage& storage, const Clock& clock);

}  // namespace chirp::events
