// Writes of the log's consumers and of readers. Each returns whether it has changed anything. A
// step is rejected if the consumer's offset has moved since it started.
#pragma once

#include <span>
#include <vector>

#include "core/ports/rows.h"
#include "core/ports/steps.h"

namespace chirp::rules {

// Adds to `passed_over` the viewers with deliveries but without a valid timeline, ascending.
[[nodiscard]] bool take(Rows& rows, const FanOutStep& step,
                        std::vector<UserNumber>* passed_over = nullptr);
[[nodiscard]] bool take(Rows& rows, const CounterStep& step);
[[nodiscard]] bool take(Rows& rows, const NotificationStep& step);
[[nodiscard]] bool take(Rows& rows, const TrendStep& step);

// Stores a timeline unless a post could be missing from it. No event from `log_end` on may have
// been delivered, wholly (S) or in part (StoreState::fan_out_reach). The generation must be the
// walk's, and the viewer must be present and follow only users whom the walk covered. Keeps the
// later day of last read, of the new and the stored timeline.
[[nodiscard]] bool store(Rows& rows, const BuiltTimeline& built, Replace replace);
// Stores the day of the viewer's last read; does nothing if there is no timeline.
[[nodiscard]] bool note_read(Rows& rows, UserNumber viewer);

// ---- notifications and hashtags, for steps and repairs
// Writes notifications of one existing user (ascending), and keeps the newest `keep`.
void tell(Rows& rows, std::span<const events::Notification> notifications, std::uint32_t keep);
void take_back(Rows& rows, const events::Notification& notification);
// Removes up to `limit` notifications of the user, the oldest first, and the reader's row after the
// last. Returns how many.
std::uint32_t forget_notifications_of(Rows& rows, UserNumber user, std::uint32_t limit);
// Stores the tags of an existing public post.
void put_tags(Rows& rows, const TaggedPost& post);
// Moves existing comments to the right table: see settle_comment().
void settle_comments(Rows& rows, std::span<const CommentId> comments);
// For a recent loaded post, because loads log no event for each post.
void put_recent_tags(Rows& rows, const Post& post);

}  // namespace chirp::rules
