// What a user may see of others' posts and comments, for changes that are about them.
#pragma once

#include <optional>

#include "core/ports/rows.h"

namespace chirp::rules {

// Whether one of the two has blocked the other.
[[nodiscard]] bool severed(const Rows& rows, UserNumber one, UserNumber other);
// The post that an id stands for to a user, who sees it: the original of a repost.
[[nodiscard]] std::optional<Post> seen_original(const Rows& rows, UserNumber user, PostId id);
// A comment that is not removed and that the user may see.
[[nodiscard]] std::optional<Comment> seen_comment(const Rows& rows, UserNumber user, CommentId id);
// A comment that is not removed, whose author and post are there, and whose the post is.
struct FoundComment {
  Comment comment;
  UserNumber post_author;
};
[[nodiscard]] std::optional<FoundComment> present_comment(const Rows& rows, CommentId id);

}  // namespace chirp::rules
