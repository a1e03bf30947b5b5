#include "core/hot/brought.h"

#include <utility>

#include "core/feed/post_stats.h"
#include "core/ports/reads.h"

namespace chirp::hot {

void Brought::add(const Snapshot& snapshot, UserNumber reader, const Lacking& lacking) {
  std::vector<ContentId> contents;
  contents.reserve(lacking.posts.size());
  for (const PostId id : lacking.posts) contents.push_back(content_of(id));
  auto found = snapshot.posts_at(lacking.posts);
  const auto counters = snapshot.content_counters(contents);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) {
      absent.push_back(lacking.posts[i]);
      continue;
    }
    posts.push_back(
        std::make_shared<PostRecord>(PostRecord{shared(std::move(*found[i])), false, counters[i]}));
  }
  for (auto& card : reads::cards(snapshot, lacking.cards)) {
    if (card) cards.push_back(std::make_shared<CardRecord>(CardRecord{std::move(*card)}));
  }
  const auto own = feed::stats_of(snapshot, Viewer::user(reader), lacking.deeds);
  for (std::size_t i = 0; i < own.size(); ++i) {
    deeds[lacking.deeds[i]] = {own[i].reaction, own[i].reposted};
  }
}

}  // namespace chirp::hot
