// Cache of the authors in one read, each looked up once.
#pragma once

#include <span>
#include <vector>

#include "core/feed/rules.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

// `snapshot` must outlive it.
class Authors {
 public:
  // `relations` is StoreState::relations: while it is 0, relations are not looked up.
  Authors(const ContentReader& snapshot, UserNumber viewer, std::uint64_t relations)
      : snapshot_(snapshot), viewer_(viewer), relations_(relations) {}

  // Looks up the unknown ones of these users, in one step. Invalidates pointers from find().
  void meet(std::vector<UserNumber> users);
  // Null for a user who was not passed to meet() or has no card.
  [[nodiscard]] const ViewedAuthor* find(UserNumber user) const;

 private:
  const ContentReader& snapshot_;
  UserNumber viewer_;
  std::uint64_t relations_;
  std::vector<ViewedAuthor> authors_;  // sorted by number
};

}  // namespace chirp::feed
