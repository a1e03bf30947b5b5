// Visibility of others' posts and comments, for changes that refer to them.
#pragma once

#include <cstdint>
#include <optional>

#include "core/ports/rows.h"

namespace chirp::rules {

// Which authors count. Users can still undo what they did to content of suspended authors.
enum class AuthorsIn : std::uint8_t {
  kPresent,
  kKept,  // also suspended
};

// Whether one of the two has blocked the other.
[[nodiscard]] bool severed(const Rows& rows, UserNumber one, UserNumber other);
// The post with an id, whether visible or not, and the original if it is a repost.
struct NamedPost {
  Post post;
  std::optional<Post> original;
  [[nodiscard]] PostId stands_for() const { return post.is_repost() ? post.original : post.id; }
};
[[nodiscard]] std::optional<NamedPost> named_post(const Rows& rows, PostId id);
// The original (or the post itself), if the user may see it.
[[nodiscard]] std::optional<Post> seen_original(const Rows& rows, UserNumber user,
                                                std::optional<NamedPost> named,
                                                AuthorsIn authors = AuthorsIn::kPresent);
// A comment that is not removed and that the user may see.
[[nodiscard]] std::optional<Comment> seen_comment(const Rows& rows, UserNumber user, CommentId id,
                                                  AuthorsIn authors = AuthorsIn::kPresent);

}  // namespace chirp::rules
