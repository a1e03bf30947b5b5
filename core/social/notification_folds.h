// Notifications as users read them: follows, likes of the same content, and reposts of the same
// post are each grouped, whatever comes between them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/user.h"
#include "core/ports/snapshot.h"
#include "core/social/notifications.h"

namespace chirp::social {

// A group of notifications.
struct NotificationFold {
  NotificationView newest;
  std::vector<AuthorCard> actors;      // newest first, unique
  ReadState state = ReadState::kRead;  // unread if any notification is
};

struct FoldedPage {
  std::vector<NotificationFold> folds;  // newest first, by the newest notification of each
  std::optional<events::NotificationId> next_cursor{};  // last one read; empty at the end
  std::uint64_t unread = 0;                             // number of all unread notifications
};

// Returns at most `limit` groups. Reads on until a notification belongs to none of them, so that
// each group counts everyone down to there. The page ends after limits::kNotificationsFolded
// notifications in any case. Throws Error{kInvalidArgument} for a limit out of range.
[[nodiscard]] FoldedPage folded_notifications(const Snapshot& snapshot,
                                              const NotificationQuery& query);

}  // namespace chirp::social
