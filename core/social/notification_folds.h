// Notifications as people read them: follows, the likes of one thing and the reposts of one post
// are told in one line each, whatever lies between them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/user.h"
#include "core/ports/snapshot.h"
#include "core/social/notifications.h"

namespace chirp::social {

// What is told in one line.
struct NotificationFold {
  NotificationView newest;
  std::vector<AuthorCard> actors;      // newest first, nobody twice
  ReadState state = ReadState::kRead;  // unread if any of them is
};

struct FoldedPage {
  std::vector<NotificationFold> folds;                  // by their newest, newest first
  std::optional<events::NotificationId> next_cursor{};  // the last one taken in; empty at the end
  std::uint64_t unread = 0;                             // notifications, in all
};

// At most `limit` folds. It walks on until what comes next belongs in none of them, so that a fold
// counts all of its people down to there; after limits::kNotificationsFolded notifications the page
// ends in any case. Throws Error{kInvalidArgument} for a limit out of range.
[[nodiscard]] FoldedPage folded_notifications(const Snapshot& snapshot,
                                              const NotificationQuery& query);

}  // namespace chirp::social
