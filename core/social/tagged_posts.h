// Public posts with a hashtag, newest first: those of the last kTagsKeptMs by all authors that the
// viewer may see and has not muted. Like trends, the list lags behind new posts as the consumer of
// the log does, and has no loaded posts.
#pragma once

#include <cstdint>
#include <string>

#include "core/limits.h"
#include "core/model/post.h"
#include "core/model/relation.h"
#include "core/ports/snapshot.h"
#include "core/social/posts.h"

namespace chirp::social {

struct TaggedQuery {
  std::string tag;                                 // case-folded, without the sign
  PostId before = kAboveAllPosts;                  // exclusive
  std::uint32_t limit = limits::kPostPageDefault;  // 1 to limits::kPostPageMax
};

// A page ends early, with a cursor, if there are many posts that are hidden only from this viewer.
// Throws Error{kInvalidArgument} for a limit out of range.
[[nodiscard]] PostPage tagged_posts_in(const Snapshot& snapshot, const Viewer& viewer,
                                       const TaggedQuery& query);

}  // namespace chirp::social
