#include "server/api/failure_counts.h"

#include <algorithm>

namespace chirp::api {

bool FailureCounts::is_over(const Count& count, std::int64_t now_ns) const {
  return count.failures == 0 || count.since_ns + window_ns_ <= now_ns;
}

void FailureCounts::add(std::uint64_t key, std::int64_t now_ns) {
  Bucket& bucket = buckets_[key % buckets_.size()];
  const std::uint64_t in_crowd = is_over(bucket.crowd, now_ns) ? 0 : bucket.crowd.failures;
  auto own = std::find_if(bucket.counts.begin(), bucket.counts.end(), [&](const Count& count) {
    return count.key == key && !is_over(count, now_ns);
  });
  if (own != bucket.counts.end()) {
    ++own->failures;
    if (own->renewed) own->since_ns = now_ns;
    return;
  }
  own = std::find_if(bucket.counts.begin(), bucket.counts.end(),
                     [&](const Count& count) { return is_over(count, now_ns); });
  if (own != bucket.counts.end()) {
    // The shared count may already include this key.
    *own = {key, now_ns, in_crowd + 1, in_crowd > 0};
  } else {
    bucket.crowd = {0, now_ns, in_crowd + 1, true};
  }
}

const FailureCounts::Count& FailureCounts::count_of(std::uint64_t key, std::int64_t now_ns) const {
  const Bucket& bucket = buckets_[key % buckets_.size()];
  const auto own =
      std::find_if(bucket.counts.begin(), bucket.counts.end(),
                   [&](const Count& count) { return count.key == key && !is_over(count, now_ns); });
  return own != bucket.counts.end() ? *own : bucket.crowd;
}

std::uint64_t FailureCounts::failures(std::uint64_t key, std::int64_t now_ns) const {
  const Count& count = count_of(key, now_ns);
  return is_over(count, now_ns) ? 0 : count.failures;
}

std::int64_t FailureCounts::wait_ns(std::uint64_t key, std::uint64_t most,
                                    std::int64_t now_ns) const {
  if (failures(key, now_ns) < most) return 0;
  return count_of(key, now_ns).since_ns + window_ns_ - now_ns;
}

}  // namespace chirp::api
