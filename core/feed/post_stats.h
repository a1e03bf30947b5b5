// What others did with posts, and what the viewer did: fetched for a whole page at once.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/model/reaction.h"
#include "core/model/relation.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

struct PostStats {
  ContentCounters counters;
  bool knows_viewer = false;             // false for the operator and the anonymous
  std::optional<ReactionType> reaction;  // the viewer's, if there is one
  bool reposted = false;                 // by the viewer
};

// One for each post, none of them a repost.
[[nodiscard]] std::vector<PostStats> stats_of(const ContentReader& snapshot, const Viewer& viewer,
                                              std::span<const PostId> posts);

}  // namespace chirp::feed
