// Repairs of what the doctor found. Each store repairs its own indexes and damaged rows
// (Storage::repair_indexes).
#pragma once

#include <span>

#include "core/ports/rows.h"

namespace chirp::rules {

// Sets a user's stored counters and tier so that they are `actual` with pending changes. Returns
// false and changes nothing if the user does not exist.
[[nodiscard]] bool repair_counters(Rows& rows, UserNumber user, const UserCounters& actual);
// The same for a post or comment.
void repair_counters(Rows& rows, ContentId content, const ContentCounters& actual);
// Puts each of `posts`, with its author and level, only into the log of its level.
void repair_logs(Rows& rows, std::span<const Post> posts);
// Sets the tags of each of `posts` to those given; a post that does not exist loses its tags.
// Removes the rows `stray` from the lists by hashtag.
void repair_tags(Rows& rows, std::span<const TaggedPost> posts,
                 std::span<const tables::TagPosts::Key> stray);
// Moves existing comments to the right table: see settle_comment().
void repair_threads(Rows& rows, std::span<const CommentId> comments);
// Removes stored notifications, and writes others if the user is present.
void repair_notifications(Rows& rows, std::span<const events::Notification> wrong,
                          std::span<const events::Notification> missing);

}  // namespace chirp::rules
