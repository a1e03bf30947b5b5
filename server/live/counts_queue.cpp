#include "server/live/counts_queue.h"

#include "server/limits.h"

namespace chirp::live {

bool CountsQueue::changed(PostId post) {
  changed_.insert(post);
  return changed_.size() <= limits::kStreamCountsMax;
}

std::vector<PostId> CountsQueue::take(std::int64_t now_ms, std::size_t most) {
  std::vector<PostId> taken;
  if (changed_.empty()) return taken;
  std::erase_if(taken_at_,
                [&](const auto& one) { return now_ms - one.second >= limits::kStreamCountsMs; });
  for (auto at = changed_.begin(); at != changed_.end() && taken.size() < most;) {
    if (!taken_at_.try_emplace(*at, now_ms).second) {
      ++at;
      continue;
    }
    taken.push_back(*at);
    at = changed_.erase(at);
  }
  return taken;
}

}  // namespace chirp::live
