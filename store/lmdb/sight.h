// What a user may see, decided inside the transaction that writes because of it, so that no block
// or removal comes in between.
#pragma once

#include <optional>

#include "core/model/post.h"
#include "store/lmdb/batch.h"

namespace chirp::lmdb {

// Whether a present author's words of this level may be seen by a user.
[[nodiscard]] bool may_see(const Batch& batch, UserNumber user, UserNumber author, Privacy privacy);

// Whether a user who sees a post may see a comment below it, by the authors of both.
[[nodiscard]] bool may_see_comment(const Batch& batch, UserNumber user, UserNumber author,
                                   UserNumber post_author);

// The post that an id stands for to a user, who sees it: the original of a repost.
[[nodiscard]] std::optional<Post> seen_original(const Batch& batch, UserNumber user, PostId id);

}  // namespace chirp::lmdb
