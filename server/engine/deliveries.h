// The deliveries of the latest posts: how many timelines got each post, and how long it took. In
// memory, of this process only. Safe to call from any thread.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <optional>

#include "core/events/delivery_report.h"
#include "core/model/ids.h"
#include "core/ports/clock.h"
#include "server/delivery_record.h"
#include "server/metrics.h"

namespace chirp {

class Deliveries {
 public:
  // Both must outlive it.
  Deliveries(const Clock& clock, Metrics& metrics) : clock_(clock), metrics_(metrics) {}

  void note(const events::DeliveryReport& report);
  // Empty for a post that another process delivered, or that is older than the last
  // limits::kDeliveriesKept.
  [[nodiscard]] std::optional<DeliveryRecord> find(PostId post) const;

 private:
  [[nodiscard]] DeliveryRecord& record_of(PostId post);  // call with the mutex held
  void end(PostId post, DeliveryRecord::Stage stage, Time now);

  const Clock& clock_;
  Metrics& metrics_;
  mutable std::mutex mutex_;
  std::map<PostId, DeliveryRecord> records_;
  std::deque<PostId> order_;  // in order of arrival
};

}  // namespace chirp
