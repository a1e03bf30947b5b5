#include "core/feed/rules.h"

#include <algorithm>

namespace chirp::feed {

bool Rules::admits(const Entry& entry) const {
  return entry.author == viewer_ ||
         std::binary_search(following_.begin(), following_.end(), entry.author);
}

bool Rules::shows(const Entry& entry, const Post& post, const AuthorCard& author) const {
  return post.id == entry.id && post.author == author.number &&
         author.presence == Presence::kPresent;
}

Reason Rules::reason(const Entry& entry) const {
  return entry.author == viewer_ ? Reason::kSelf : Reason::kFollow;
}

}  // namespace chirp::feed
