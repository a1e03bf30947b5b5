// Posts whose changed counters have yet to be sent to a reader: each at most once a second. Not
// thread-safe.
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
  // Adds the post. Returns false if more than limits::kStreamCountsMax posts are queued.
  [[nodiscard]] bool changed(PostId post);
  // Removes and returns up to `most` posts that were not returned within the last second.
  [[nodiscard]] std::vector<PostId> take(std::int64_t now_ms, std::size_t most);
  [[nodiscard]] bool empty() const { return changed_.empty(); }

 private:
  std::set<PostId> changed_;
  std::map<PostId, std::int64_t> taken_at_;  // within the last second
};

}  // namespace chirp::live
