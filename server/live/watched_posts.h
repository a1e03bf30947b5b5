// The posts sent on each stream: the newest, up to limits::kStreamPostsMax. Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/model/ids.h"

namespace chirp::live {

using StreamNumber = StrongId<struct StreamNumberTag, std::uint64_t>;

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
