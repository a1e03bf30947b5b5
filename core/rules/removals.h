// Removals in steps: the traces of removed posts, comments and users.
#pragma once

#include <cstdint>
#include <span>

#include "core/ports/rows.h"

namespace chirp::rules {

// Removes up to `limit` traces (posts, edges, reactions, comments, ...) of a user marked as
// removed, and updates counters and tiers of others. Returns true when no trace is left; then it
// empties the names in the card.
[[nodiscard]] bool remove_traces(Rows& rows, UserNumber user, std::uint32_t limit);
// Removes up to `limit` traces of removed posts and comments (reactions, comments, reposts,
// hashtags), and updates the counters of others. Returns true when nothing is left; cheap then.
[[nodiscard]] bool remove_post_traces(Rows& rows, std::uint32_t limit);
// Resumes the removals of users who are marked as removed and have traces left. Returns true if
// there was any.
[[nodiscard]] bool take_up_removals(Rows& rows, std::span<const UserNumber> users);

}  // namespace chirp::rules
