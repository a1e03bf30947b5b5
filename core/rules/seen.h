// What a user may see of others' posts and comments, for changes that are about them.
#pragma once

#include <cstdint>
#include <optional>

#include "core/ports/rows.h"

namespace chirp::rules {

// By whom it may be. What somebody has done to what a suspended author wrote is still theirs to
// take back.
enum class Authors : std::uint8_t {
  kPresent,
  kKept,  // or suspended
};

// Whether one of the two has blocked the other.
[[nodiscard]] bool severed(const Rows& rows, UserNumber one, UserNumber other);
// What an id names, whoever may see it: a post, and the original of a repost.
struct NamedPost {
  Post post;
  std::optional<Post> original;
  [[nodiscard]] PostId stands_for() const { return post.is_repost() ? post.original : post.id; }
};
[[nodiscard]] std::optional<NamedPost> named_post(const Rows& rows, PostId id);
// The post that stands there for a user, who sees it: the original of a repost.
[[nodiscard]] std::optional<Post> seen_original(const Rows& rows, UserNumber user,
                                                std::optional<NamedPost> named,
                                                Authors authors = Authors::kPresent);
// A comment that is not removed and that the user may see.
[[nodiscard]] std::optional<Comment> seen_comment(const Rows& rows, UserNumber user, CommentId id,
                                                  Authors authors = Authors::kPresent);

}  // namespace chirp::rules
