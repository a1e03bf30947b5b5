// Who sees what: the one place where the definition of a feed stands
// (docs/architecture.md#the-feed).
//
// An entry is shown when its author is the viewer or somebody the viewer follows now; it exists and
// its author is present; it is public or for followers, or the viewer wrote it; neither has blocked
// the other and the viewer has not muted the author. A repost is shown when, besides, its original
// exists, is public and by somebody present of whom the same holds, and the viewer has not switched
// off the reposter's reposts. A rule that shows more than it should breaks a promise to an author,
// one that shows less makes a gap; neither can be mended elsewhere, since timelines hold what they
// were given and trust these rules at reading.
#pragma once

#include <span>

#include "core/feed/page.h"
#include "core/model/post.h"
#include "core/model/relation.h"
#include "core/model/shared.h"
#include "core/model/user.h"

namespace chirp::feed {

// Somebody in a feed, as its viewer stands to them.
struct Person {
  Shared<AuthorCard> card;
  Bond bond;
};

// An entry with what was fetched for it; null for what is not there.
struct HydratedEntry {
  const Post* post = nullptr;
  const Person* author = nullptr;
  const Post* original = nullptr;  // of a repost, like the next
  const Person* original_author = nullptr;
};

// The rules as they stand for one viewer in one state. Refers to `following` (ascending), which
// must outlive it.
class Rules {
 public:
  Rules(UserNumber viewer, std::span<const UserNumber> following)
      : viewer_(viewer), following_(following) {}

  // Whether the entry may be shown, as far as that can be said before anything is fetched.
  [[nodiscard]] bool admits(const Entry& entry) const;
  // Whether an entry that is admitted is shown: the whole rule.
  [[nodiscard]] bool shows(const Entry& entry, const HydratedEntry& hydrated) const;
  // Whether all posts of an author who was looked up are hidden from the viewer.
  [[nodiscard]] bool hides(const Person* person, UserNumber author) const {
    return author != viewer_ && !welcomes(person, author);
  }
  // Why an entry that is shown is shown.
  [[nodiscard]] Reason reason(const Post& post) const { return reason_of(viewer_, post); }
  [[nodiscard]] static Reason reason_of(UserNumber viewer, const Post& post);

 private:
  // Whether anything by somebody may be shown.
  [[nodiscard]] static bool welcomes(const Person* person, UserNumber author);

  UserNumber viewer_;
  std::span<const UserNumber> following_;
};

}  // namespace chirp::feed
