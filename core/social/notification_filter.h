// Reads a user's notifications and filters out those that no longer apply, for the list and the
// stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "core/model/notification.h"
#include "core/ports/snapshot.h"
#include "core/social/notifications.h"
#include "core/social/visibility.h"

namespace chirp::social {

// Above every event.
inline constexpr Sequence kAboveAllEvents{~std::uint64_t{0}};

// Returns the notifications that the consumer will store for events before `end` that it has not
// processed yet, oldest first. Only for users that `is_wanted` accepts.
[[nodiscard]] std::vector<events::Notification> pending_notifications(
    const ContentReader& snapshot, Sequence end, const std::function<bool(UserNumber)>& is_wanted);

// Walks a user's notifications, newest first: those of the pending events, then the stored ones.
// `snapshot` must outlive it.
class NotificationWalk {
 public:
  NotificationWalk(const ContentReader& snapshot, UserNumber user, Sequence before);

  [[nodiscard]] std::optional<events::Notification> next();

 private:
  const ContentReader& snapshot_;
  UserNumber user_;
  Sequence before_;
  std::vector<events::Notification> block_;
  std::size_t at_ = 0;
};

class NotificationFilter;

// An act: its kind, its actor, and the target post or comment.
using Act = std::tuple<events::Topic, UserNumber, PostId, CommentId>;

// Number of the user's unread notifications that still apply.
[[nodiscard]] std::uint64_t unread_of(const ContentReader& snapshot, UserNumber user,
                                      NotificationFilter& filter);

// Decides, from one state, which notifications of one user still apply, and how they are shown.
// `snapshot` must outlive it.
class NotificationFilter {
 public:
  NotificationFilter(const ContentReader& snapshot, UserNumber user);

  // The newest event that the user has marked as read.
  [[nodiscard]] Sequence read_to() const { return read_to_; }
  // The notification as it is shown; empty if it no longer applies.
  [[nodiscard]] std::optional<NotificationView> view(const events::Notification& notification);

 private:
  bool is_welcome(UserNumber actor);
  // Each fills in the target of the notification; false if it no longer applies.
  bool holds(const events::Notification& notification, NotificationView& view);
  bool liked(const events::Notification& notification, NotificationView& view);
  bool commented(const events::Notification& notification, NotificationView& view);
  bool reposted(const events::Notification& notification, NotificationView& view);
  bool mentioned(const events::Notification& notification, NotificationView& view);
  bool about_post(PostId id, NotificationView& view);
  bool about_comment(const events::Notification& notification, UserNumber author,
                     NotificationView& view);
  [[nodiscard]] std::optional<Comment> comment(CommentId id) const;
  bool is_given(const events::Notification& notification, Time since);
  bool is_newest_of_act(const events::Notification& notification);

  const ContentReader& snapshot_;
  UserNumber user_;
  Visibility visibility_;
  Sequence read_to_;
  std::map<UserNumber, ViewerRelation> bonds_;
  // The walk that finds the newest notification of each repeatable act, continued as needed.
  std::optional<NotificationWalk> walk_;
  std::optional<Sequence> walked_to_;
  std::map<Act, Sequence> newest_acts_;
};

}  // namespace chirp::social
