// What the consumers of the log, and readers, leave in the store. Each returns whether it has
// changed anything; a step is not taken if the consumer's offset is no longer where it started.
#pragma once

#include <span>
#include <vector>

#include "core/ports/rows.h"
#include "core/ports/steps.h"

namespace chirp::rules {

// To `passed_over` are added those whom something was to be delivered to and who had no valid
// timeline, ascending.
[[nodiscard]] bool take(Rows& rows, const FanOutStep& step,
                        std::vector<UserNumber>* passed_over = nullptr);
[[nodiscard]] bool take(Rows& rows, const CounterStep& step);
[[nodiscard]] bool take(Rows& rows, const NotificationStep& step);
[[nodiscard]] bool take(Rows& rows, const TrendStep& step);

// Stores a timeline unless a post could have slipped past it: only while no event from `log_end` on
// has been delivered, wholly (S) or in part (StoreState::fan_out_reach), the generation is the
// walk's, and the viewer is present and follows nobody the walk did not cover. The later day of
// last read stays, the one offered or the one stored.
[[nodiscard]] bool store(Rows& rows, const BuiltTimeline& built, Replace replace);
// Keeps the day of the viewer's last read; nothing if there is no timeline.
[[nodiscard]] bool note_read(Rows& rows, UserNumber viewer);

// ---- notifications and hashtags, for steps and repairs
// Writes what one user, who is there, is told (ascending), and keeps the newest `keep`.
void tell(Rows& rows, std::span<const events::Notification> notifications, std::uint32_t keep);
void take_back(Rows& rows, const events::Notification& notification);
// Removes up to `limit` notifications of the user, the oldest first, and what is kept of the reader
// once they are gone; how many.
std::uint32_t forget_notifications_of(Rows& rows, UserNumber user, std::uint32_t limit);
// Takes in a post that is there and public.
void put_tags(Rows& rows, const TaggedPost& post);
// Puts comments that are there where they are due: see settle_comment().
void settle_comments(Rows& rows, std::span<const CommentId> comments);
// Of a loaded post that is young enough, whose log row no consumer will see.
void put_recent_tags(Rows& rows, const Post& post);

}  // namespace chirp::rules
