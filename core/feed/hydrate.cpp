#include "core/feed/hydrate.h"

#include <vector>

namespace chirp::feed {

void hydrate(const ContentReader& snapshot, UserNumber viewer, std::span<FeedItem> items) {
  std::vector<PostId> posts;
  posts.reserve(items.size());
  for (const FeedItem& item : items) posts.push_back(item.post->id);
  const auto stats = stats_of(snapshot, Viewer::user(viewer), posts);
  for (std::size_t i = 0; i < items.size(); ++i) items[i].stats = stats[i];
}

}  // namespace chirp::feed
