// Notifications as users read them: follows, the likes of one thing and the reposts of one post are
// each folded into one line, whatever lies between them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/user.h"
#include "core/ports/snapshot.h"
#include "core/social/notifications.h"

namespace chirp::social {

// The content of one line.
struct NotificationFold {
  NotificationView newest;
  std::vector<AuthorCard> actors;      // newest first, nobody twice
  ReadState state = ReadState::kRead;  // unread if any of them is
};

struct FoldedPage {
  std::vector<NotificationFold> folds;                  // by their newest, newest first
  std::optional<events::NotificationId> next_cursor{};  // the last one folded; empty at the end
  std::uint64_t unread = 0;                             // notifications, in all
};

// Returns at most `limit` folds. Reads on until the next notification belongs to none of them, so
// that a fold counts everyone down to there. The page ends after limits::kNotificationsFolded
// notifications in any case. Throws Error{kInvalidArgument} for a limit out of range.
[[nodiscard]] FoldedPage folded_notifications(const Snapshot& snapshot,
                                              const NotificationQuery& query);

}  // namespace chirp::social
