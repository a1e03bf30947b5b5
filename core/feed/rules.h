// Which entries a viewer sees: the only implementation of the definition of a feed
// (docs/architecture.md#the-feed).
//
// An entry is shown if its author is the viewer or followed by the viewer, the post exists and its
// author is present, it is public or for followers, or the viewer wrote it, neither has blocked the
// other, and the viewer has not muted the author. A repost also needs a public original whose
// author is present, not blocked and not muted, and the viewer must not have switched off the
// reposter's reposts. Timelines keep everything they were given and rely on these rules at reading.
// So a rule that shows too much breaks a promise to an author, and one that shows too little makes
// a gap.
#pragma once

#include <span>

#include "core/feed/page.h"
#include "core/model/post.h"
#include "core/model/relation.h"
#include "core/model/shared.h"
#include "core/model/user.h"

namespace chirp::feed {

// A user in a feed, with the viewer's relation to them.
struct ViewedAuthor {
  Shared<AuthorCard> card;
  ViewerRelation bond;
};

// An entry with the rows fetched for it; null for rows that do not exist.
struct HydratedEntry {
  const Post* post = nullptr;
  const ViewedAuthor* author = nullptr;
  const Post* original = nullptr;  // for a repost, like the next
  const ViewedAuthor* original_author = nullptr;
};

// The rules for one viewer in one state. Refers to `following` (ascending), which must outlive it.
class Rules {
 public:
  Rules(UserNumber viewer, std::span<const UserNumber> following)
      : viewer_(viewer), following_(following) {}

  // Whether the entry may be shown, as far as is known before rows are fetched.
  [[nodiscard]] bool admits(const Entry& entry) const;
  // Whether an admitted entry is shown: the whole rule.
  [[nodiscard]] bool shows(const Entry& entry, const HydratedEntry& hydrated) const;
  // Whether all posts of an author are hidden from the viewer. `person` is the result of the
  // lookup.
  [[nodiscard]] bool hides(const ViewedAuthor* person, UserNumber author) const {
    return author != viewer_ && !welcomes(person, author);
  }
  // The reason of a shown entry.
  [[nodiscard]] Reason reason(const Post& post) const { return reason_of(viewer_, post); }
  [[nodiscard]] static Reason reason_of(UserNumber viewer, const Post& post);

 private:
  // Whether posts of this author may be shown at all.
  [[nodiscard]] static bool welcomes(const ViewedAuthor* person, UserNumber author);

  UserNumber viewer_;
  std::span<const UserNumber> following_;
};

}  // namespace chirp::feed
