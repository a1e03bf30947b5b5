// Relations between two users, and what a viewer may see of an author: the only place that decides
// privacy and blocks, for all surfaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/post.h"

namespace chirp {

// A setting of one user about another, besides following. Stored as one byte; never renumber.
enum class Relation : std::uint8_t {
  kBlock = 1,       // hides each one's posts and comments from the other
  kMute = 2,        // hides the other from the muter's feed, stream and notifications
  kRepostsOff = 3,  // keeps the other's reposts out of the follower's feed; part of a follow edge
};

// A viewer's relation to another user, besides following.
struct ViewerRelation {
  bool blocks = false;
  bool blocked_by = false;
  bool mutes = false;
  bool reposts_off = false;

  [[nodiscard]] bool severed() const { return blocks || blocked_by; }
  bool operator==(const ViewerRelation&) const = default;
};

// The reader that something is read for.
class Viewer {
 public:
  enum class Kind : std::uint8_t { kOperator, kAnonymous, kUser };

  // The operator of the directory: sees everything.
  static constexpr Viewer the_operator() { return {Kind::kOperator, kNobody}; }
  // Sees only what is public.
  static constexpr Viewer anonymous() { return {Kind::kAnonymous, kNobody}; }
  static constexpr Viewer user(UserNumber number) { return {Kind::kUser, number}; }

  [[nodiscard]] constexpr Kind kind() const { return kind_; }
  // kNobody if the viewer is not a user.
  [[nodiscard]] constexpr UserNumber number() const { return number_; }
  [[nodiscard]] constexpr bool is(UserNumber number) const {
    return kind_ == Kind::kUser && number_ == number;
  }

 private:
  constexpr Viewer(Kind kind, UserNumber number) : kind_(kind), number_(number) {}
  Kind kind_;
  UserNumber number_;
};

// The relation on which a viewer's view of an author depends.
struct AuthorAccess {
  bool follows = false;  // the viewer follows the author
  bool severed = false;  // one has blocked the other
};

// Whether `viewer` may see what `author`, who must be present, wrote at this level. `standing` is
// ignored unless the viewer is a user.
[[nodiscard]] constexpr bool sees(const Viewer& viewer, UserNumber author, Privacy privacy,
                                  const AuthorAccess& standing) {
  switch (viewer.kind()) {
    case Viewer::Kind::kOperator:
      return true;
    case Viewer::Kind::kAnonymous:
      return privacy == Privacy::kPublic;
    case Viewer::Kind::kUser:
      break;
  }
  if (viewer.is(author)) return true;
  if (standing.severed) return false;
  return privacy == Privacy::kPublic || (privacy == Privacy::kFollowers && standing.follows);
}

// Whether `viewer`, who may see a post, may see a comment below it. `standing` is between the
// viewer and the comment's author. `authors_severed` says whether the comment's author and the
// post's author have a block between them; no reader sees such a comment.
[[nodiscard]] constexpr bool sees_comment(const Viewer& viewer, UserNumber author,
                                          const AuthorAccess& standing, bool authors_severed) {
  if (viewer.kind() == Viewer::Kind::kOperator) return true;
  return !authors_severed && sees(viewer, author, Privacy::kPublic, standing);
}

}  // namespace chirp
