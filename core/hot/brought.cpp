#include "core/hot/brought.h"

#include <utility>

#include "core/ports/reads.h"

namespace chirp::hot {

void Brought::add(const Snapshot& snapshot, UserNumber reader, const Lacking& lacking) {
  const auto contents_of = [](const std::vector<PostId>& ids) {
    std::vector<ContentId> contents;
    contents.reserve(ids.size());
    for (const PostId id : ids) contents.push_back(content_of(id));
    return contents;
  };
  auto found = snapshot.posts_at(lacking.posts);
  const auto counters = snapshot.content_counters(contents_of(lacking.posts));
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
  const auto own = reads::reactions_of(snapshot, reader, contents_of(lacking.reactions));
  for (std::size_t i = 0; i < own.size(); ++i) {
    reactions[lacking.reactions[i]] = own[i] ? std::optional(own[i]->type) : std::nullopt;
  }
}

}  // namespace chirp::hot
