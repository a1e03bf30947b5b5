#include "server/live/watched_posts.h"

#include "server/limits.h"

namespace chirp::live {

void WatchedPosts::add(StreamNumber stream, PostId post) {
  if (!by_post_.insert({post, stream}).second) return;
  std::deque<PostId>& posts = by_stream_[stream];
  posts.push_back(post);
  if (posts.size() <= limits::kStreamPostsMax) return;
  by_post_.erase({posts.front(), stream});
  posts.pop_front();
}

void WatchedPosts::forget(StreamNumber stream) {
  const auto found = by_stream_.find(stream);
  if (found == by_stream_.end()) return;
  for (const PostId post : found->second) by_post_.erase({post, stream});
  by_stream_.erase(found);
}

std::vector<StreamNumber> WatchedPosts::streams_of(PostId post) const {
  std::vector<StreamNumber> streams;
  for (auto at = by_post_.lower_bound({post, StreamNumber{}});
       at != by_post_.end() && at->first == post; ++at) {
    streams.push_back(at->second);
  }
  return streams;
}

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
