// What doctor found, put right. Indexes and damaged rows are the store's own to repair
// (Storage::repair_indexes).
#pragma once

#include <span>

#include "core/ports/rows.h"

namespace chirp::rules {

// Sets the stored counters of a user, retiering, so that with what is pending they are `actual`.
// False, and nothing changed, of who is not there.
[[nodiscard]] bool repair_counters(Rows& rows, UserNumber user, const UserCounters& actual);
// The same of a post or comment.
void repair_counters(Rows& rows, ContentId content, const ContentCounters& actual);
// Puts each of `posts`, with its author and level, in the log of its level and in no other.
void repair_logs(Rows& rows, std::span<const Post> posts);
// Gives each of `posts` the tags it says, and no others; a post that is not there loses them. The
// rows `stray` of lists by hashtag go.
void repair_tags(Rows& rows, std::span<const TaggedPost> posts,
                 std::span<const tables::TagPosts::Key> stray);
// Puts comments that are there where they are due: see settle_comment().
void repair_threads(Rows& rows, std::span<const CommentId> comments);
// Takes away notifications that are stored, and writes others anew, if the user is present.
void repair_notifications(Rows& rows, std::span<const events::Notification> wrong,
                          std::span<const events::Notification> missing);

}  // namespace chirp::rules
