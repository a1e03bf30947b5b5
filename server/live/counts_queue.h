// Posts whose counters have changed, until a reader is told: each at most once a second. One thread
// at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/model/ids.h"

namespace chirp::live {

class CountsQueue {
 public:
  // False when more posts wait than limits::kStreamCountsMax.
  [[nodiscard]] bool changed(PostId post);
  // Takes out up to `most` of those that were not taken within the last second.
  [[nodiscard]] std::vector<PostId> take(std::int64_t now_ms, std::size_t most);
  [[nodiscard]] bool empty() const { return changed_.empty(); }

 private:
  std::set<PostId> changed_;
  std::map<PostId, std::int64_t> taken_at_;  // within the last second
};

}  // namespace chirp::live
