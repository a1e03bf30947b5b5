// Public posts that carry a hashtag, newest first: those of the last kTagsKeptMs, whoever wrote
// them, as far as the viewer may see them and has not muted their authors. Like trends they trail
// the newest posts by as much as the consumer of the log does, and leave loaded posts out.
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

// A page ends early, and goes on, if it meets many posts that are hidden from this viewer alone.
// Throws Error{kInvalidArgument} for a limit out of range.
[[nodiscard]] PostPage tagged_posts_in(const Snapshot& snapshot, const Viewer& viewer,
                                       const TaggedQuery& query);

}  // namespace chirp::social
