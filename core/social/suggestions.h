// Suggestions of users to follow: followees of followees, and users with many followers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/user.h"
#include "core/ports/snapshot.h"

namespace chirp::social {

struct Suggestion {
  AuthorCard user;
  std::int64_t followers = 0;
  std::uint32_t friends = 0;        // number of the reader's followees who follow them
  std::vector<AuthorCard> through;  // the first of those, at most limits::kSuggestedThrough
};

// At most `limit` (1 … limits::kSuggestionsMax) from one state, sorted by the number of the
// reader's followees who follow them, then by followers, then by arrival. Leaves out users whom the
// reader follows, has blocked or muted or is blocked by, and users who are not present.
//
// Reads at most limits::kSuggestFriends followees, limits::kSuggestEdges followees of each, and up
// to limits::kSuggestPeople each of authors with a mark and of the earliest users. So with more
// users, a popular one may be missing.
[[nodiscard]] std::vector<Suggestion> suggestions_in(const ContentReader& snapshot,
                                                     UserNumber reader, std::uint32_t limit);

}  // namespace chirp::social
