// Who sees what: the one place where the definition of a feed stands
// (docs/architecture.md#the-feed).
//
// An entry is shown when its author is the viewer or somebody the viewer follows now, the post
// exists, and its author is not removed. A rule that shows more than it should breaks a promise to
// an author, one that shows less makes a gap; neither can be mended elsewhere, since timelines hold
// what they were given and trust these rules at reading.
#pragma once

#include <span>

#include "core/feed/page.h"
#include "core/model/post.h"
#include "core/model/user.h"

namespace chirp::feed {

// The rules as they stand for one viewer in one state. Refers to `following` (ascending), which
// must outlive it.
class Rules {
 public:
  Rules(UserNumber viewer, std::span<const UserNumber> following)
      : viewer_(viewer), following_(following) {}

  // What can be said before anything is fetched: false spares the fetching.
  [[nodiscard]] bool admits(const Entry& entry) const;
  // The whole rule, of an entry that is admitted and whose post and author are there.
  [[nodiscard]] bool shows(const Entry& entry, const Post& post, const AuthorCard& author) const;
  // Why an entry that is shown is shown.
  [[nodiscard]] Reason reason(const Entry& entry) const;

 private:
  UserNumber viewer_;
  std::span<const UserNumber> following_;
};

}  // namespace chirp::feed
