// Whom somebody may want to follow: whom those they follow follow, and who is followed by many.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/user.h"
#include "core/ports/snapshot.h"

namespace chirp::social {

struct Suggestion {
  AuthorCard user;
  std::int64_t followers = 0;
  std::uint32_t friends = 0;        // followees of the reader who follow them
  std::vector<AuthorCard> through;  // the first of those, limits::kSuggestedThrough at most
};

// At most `limit` (1 … limits::kSuggestionsMax) out of one state: followed by most of the reader's
// followees first, then by most followers, then by who came first. Nobody whom the reader follows,
// has blocked or muted or is blocked by, and nobody who is not present.
//
// It looks at limits::kSuggestFriends followees of the reader and as many of each of theirs as
// limits::kSuggestEdges, at as many who are no regular authors and at as many who came first as
// limits::kSuggestPeople; among more people than that somebody followed by many may be left out.
[[nodiscard]] std::vector<Suggestion> suggestions_in(const ContentReader& snapshot,
                                                     UserNumber reader, std::uint32_t limit);

}  // namespace chirp::social
