// Removals in steps: what hangs on removed posts and comments, and everything of a removed user.
#pragma once

#include <cstdint>
#include <span>

#include "core/ports/rows.h"

namespace chirp::rules {

// Removes up to `limit` traces (posts, edges, reactions, comments, ...) of a user marked as
// removed, with the counters of others, and retiers them. True when none is left; then the names of
// the card are emptied.
[[nodiscard]] bool remove_traces(Rows& rows, UserNumber user, std::uint32_t limit);
// Removes up to `limit` rows of what hangs on removed posts and comments (reactions, comments,
// reposts, hashtags), with the counters of others. True when nothing is left; cheap then.
[[nodiscard]] bool remove_post_traces(Rows& rows, std::uint32_t limit);
// Takes up again the removals of users who are marked as removed, and of whom something is left.
// True if any was to be taken up.
[[nodiscard]] bool take_up_removals(Rows& rows, std::span<const UserNumber> users);

}  // namespace chirp::rules
