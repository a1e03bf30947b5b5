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

}  // namespace chirp::live
