// What became of the posts that were delivered last: how many timelines took each in, and how long
// that took. In memory, of this process. Safe to call from any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "core/events/delivery_report.h"
#include "core/model/ids.h"
#include "core/ports/clock.h"
#include "server/metrics.h"

namespace chirp {

// Of one post or repost.
struct DeliveryRecord {
  enum class Stage : std::uint8_t {
    kDelivering,  // some have it, others not yet
    kDelivered,   // nothing is left to be delivered
    kFetched,     // nothing is delivered, or no more of it: readers find it in its author's log
  };
  Stage stage = Stage::kDelivering;
  std::uint64_t timelines = 0;  // that took it in so far
  std::int64_t took_ms = 0;     // from its writing to the end of its last turn so far
  std::int64_t work_ns = 0;     // its share of the turns, by timelines
};

class Deliveries {
 public:
  // Both must outlive it.
  Deliveries(const Clock& clock, Metrics& metrics) : clock_(clock), metrics_(metrics) {}

  void note(const events::DeliveryReport& report);
  // Empty for one that was delivered by another process, before this one began, or before the last
  // limits::kDeliveriesKept.
  [[nodiscard]] std::optional<DeliveryRecord> find(PostId post) const;

 private:
  [[nodiscard]] DeliveryRecord& record_of(PostId post);  // under the lock
  void end(PostId post, DeliveryRecord::Stage stage, Time now);

  const Clock& clock_;
  Metrics& metrics_;
  mutable std::mutex mutex_;
  std::map<PostId, DeliveryRecord> records_;
  std::deque<PostId> order_;  // as they came
};

}  // namespace chirp
