// Counters of posts, and the viewer's own reactions and reposts: read for a whole page at once.
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
  bool knows_viewer = false;             // false for the operator and anonymous viewers
  std::optional<ReactionType> reaction;  // the viewer's own, if any
  bool reposted = false;                 // whether the viewer reposted it
};

// One for each post; no post may be a repost.
[[nodiscard]] std::vector<PostStats> stats_of(const ContentReader& snapshot, const Viewer& viewer,
                                              std::span<const PostId> posts);

}  // namespace chirp::feed
