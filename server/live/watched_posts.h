// The posts that streams show. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/model/ids.h"

namespace chirp::live {

// Posts whose changed counters have yet to be sent to a reader: each at most once a second.
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

using StreamNumber = StrongId<struct StreamNumberTag, std::uint64_t>;

// The posts sent on each stream: the newest, up to limits::kStreamPostsMax.
class WatchedPosts {
 public:
  void add(StreamNumber stream, PostId post);
  void forget(StreamNumber stream);
  [[nodiscard]] std::vector<StreamNumber> streams_of(PostId post) const;

 private:
  std::set<std::pair<PostId, StreamNumber>> by_post_;
  std::map<StreamNumber, std::deque<PostId>> by_stream_;  // oldest first
};

}  // namespace chirp::live
