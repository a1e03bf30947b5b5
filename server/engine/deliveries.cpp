#include "server/engine/deliveries.h"

#include <algorithm>

#include "server/limits.h"

namespace chirp {
namespace {

// The id holds the time of the transaction that wrote the post. If the clock has gone back since,
// the duration is unknown.
std::int64_t passed_since(PostId post, Time now) {
  return std::max<std::int64_t>(now.ms - snowflake::time_of(post.value).ms, 0);
}

}  // namespace

void Deliveries::note(const events::DeliveryReport& report) {
  const Time now = clock_.now();
  std::uint64_t all = 0;
  for (const auto& one : report.delivered) all += one.timelines;
  const std::lock_guard lock(mutex_);
  for (const auto& [post, author, timelines] : report.delivered) {
    DeliveryRecord& record = record_of(post);
    record.timelines += timelines;
    record.took_ms = passed_since(post, now);
    record.work_ns +=
        static_cast<std::int64_t>(static_cast<double>(report.took_ns) *
                                  static_cast<double>(timelines) / static_cast<double>(all));
  }
  for (const PostId post : report.finished) end(post, DeliveryRecord::Stage::kDelivered, now);
  for (const PostId post : report.fetched) end(post, DeliveryRecord::Stage::kFetched, now);
}

void Deliveries::end(PostId post, DeliveryRecord::Stage stage, Time now) {
  DeliveryRecord& record = record_of(post);
  record.stage = stage;
  record.took_ms = passed_since(post, now);
  if (stage == DeliveryRecord::Stage::kDelivered) metrics_.delivered(record.took_ms);
}

DeliveryRecord& Deliveries::record_of(PostId post) {
  const auto [at, fresh] = records_.try_emplace(post);
  if (fresh) {
    order_.push_back(post);
    if (order_.size() > limits::kDeliveriesKept) {
      records_.erase(order_.front());
      order_.pop_front();
    }
  }
  return at->second;
}

std::optional<DeliveryRecord> Deliveries::find(PostId post) const {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(post);
  if (found == records_.end()) return std::nullopt;
  return found->second;
}

}  // namespace chirp
