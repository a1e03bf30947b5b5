#include "core/feed/authors.h"

#include <algorithm>
#include <utility>

#include "core/ports/reads.h"

namespace chirp::feed {

void Authors::meet(std::vector<UserNumber> users) {
  std::sort(users.begin(), users.end());
  users.erase(std::unique(users.begin(), users.end()), users.end());
  std::erase_if(users, [&](UserNumber user) { return find(user) != nullptr; });
  if (users.empty()) return;
  auto cards = reads::cards(snapshot_, users);
  std::vector<ViewerRelation> bonds(users.size());
  if (relations_ != 0) bonds = snapshot_.bonds(viewer_, users);
  const std::size_t before = authors_.size();
  for (std::size_t i = 0; i < users.size(); ++i) {
    if (cards[i]) authors_.push_back({shared(std::move(*cards[i])), bonds[i]});
  }
  std::inplace_merge(
      authors_.begin(), authors_.begin() + static_cast<std::ptrdiff_t>(before), authors_.end(),
      [](const ViewedAuthor& a, const ViewedAuthor& b) { return a.card->number < b.card->number; });
}

const ViewedAuthor* Authors::find(UserNumber user) const {
  const auto at = std::lower_bound(
      authors_.begin(), authors_.end(), user,
      [](const ViewedAuthor& person, UserNumber wanted) { return person.card->number < wanted; });
  return at != authors_.end() && at->card->number == user ? &*at : nullptr;
}

}  // namespace chirp::feed
