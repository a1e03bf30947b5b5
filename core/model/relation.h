// How two users stand to each other, and who sees what of whom: the one place where privacy and
// blocks are decided, whatever the surface.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/post.h"

namespace chirp {

// What one user has set about another, besides following. Stored as one byte; numbers are for good.
enum class Relation : std::uint8_t {
  kBlock = 1,       // hides each one's posts and comments from the other
  kMute = 2,        // hides the other from the muter's feed, stream and notifications
  kRepostsOff = 3,  // keeps the other's reposts out of the follower's feed; part of a follow edge
};

// How a viewer stands to somebody else, besides following.
struct Bond {
  bool blocks = false;
  bool blocked_by = false;
  bool mutes = false;
  bool reposts_off = false;

  [[nodiscard]] bool severed() const { return blocks || blocked_by; }
  bool operator==(const Bond&) const = default;
};

// For whom something is read.
class Viewer {
 public:
  enum class Kind : std::uint8_t { kOperator, kAnonymous, kUser };

  // Who runs the directory: sees all.
  static constexpr Viewer the_operator() { return {Kind::kOperator, kNobody}; }
  // Sees what is public.
  static constexpr Viewer anonymous() { return {Kind::kAnonymous, kNobody}; }
  static constexpr Viewer user(UserNumber number) { return {Kind::kUser, number}; }

  [[nodiscard]] constexpr Kind kind() const { return kind_; }
  // kNobody unless it is a user.
  [[nodiscard]] constexpr UserNumber number() const { return number_; }
  [[nodiscard]] constexpr bool is(UserNumber number) const {
    return kind_ == Kind::kUser && number_ == number;
  }

 private:
  constexpr Viewer(Kind kind, UserNumber number) : kind_(kind), number_(number) {}
  Kind kind_;
  UserNumber number_;
};

// What visibility depends on between a viewer and an author.
struct Standing {
  bool follows = false;  // the viewer follows the author
  bool severed = false;  // one has blocked the other
};

// Whether `viewer` may see what `author`, who is present, wrote at this level. `standing` is
// without meaning unless the viewer is a user.
[[nodiscard]] constexpr bool sees(const Viewer& viewer, UserNumber author, Privacy privacy,
                                  const Standing& standing) {
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
// viewer and the comment's author; `authors_severed` is whether one of the comment's author and the
// post's has blocked the other. A comment that the post's author is kept from is shown to nobody;
// otherwise whoever may see the post may see the comments below it.
[[nodiscard]] constexpr bool sees_comment(const Viewer& viewer, UserNumber author,
                                          const Standing& standing, bool authors_severed) {
  if (viewer.kind() == Viewer::Kind::kOperator) return true;
  return !authors_severed && sees(viewer, author, Privacy::kPublic, standing);
}

}  // namespace chirp
