// Computes the notifications of many events from one state, for the consumer and for readers of
// events that the consumer has not processed yet.
//
// If a follow, reaction or repost is withdrawn and repeated within a day, it makes no new
// notification. The first one shows again, with its id, time and read state. The decision uses a
// bounded number of the user's newest notifications, so the consumer and the readers of pending
// events get the same result at any lag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "core/model/notification.h"
#include "core/ports/snapshot.h"

namespace chirp::events {

// How many of a user's newest notifications are searched for an earlier one of the same act.
inline constexpr std::uint32_t kNotificationsCompared = 64;

// Returns the notifications in the order of the events, including those of repeated acts.
[[nodiscard]] std::vector<Notification> notifications_of(const RowReader& snapshot,
                                                         std::span<const Event> events);

// Whether two times are less than 24 hours apart.
[[nodiscard]] bool is_within_a_day(Time one, Time two);
// Whether the act can be withdrawn and repeated: a follow, a reaction or a repost.
[[nodiscard]] bool can_be_repeated(const Notification& notification);
// Whether both are about the same follow, reaction or repost, at whatever time.
[[nodiscard]] bool is_same_act(const Notification& one, const Notification& two);

// The newest notifications of one user, at most kNotificationsCompared, newest first.
class RecentNotifications {
 public:
  // Whether one of them is about the same act as `next`, less than 24 hours from it. `next` is
  // newer than all of them.
  [[nodiscard]] bool has_first_of(const Notification& next) const;
  void add_newest(const Notification& next);
  void add_oldest(const Notification& next);
  [[nodiscard]] bool is_full() const { return rows_.size() >= kNotificationsCompared; }

 private:
  std::deque<Notification> rows_;
};

// Separates new notifications from those of repeated acts, for events that the consumer has not
// processed yet. The first call gets the events from the consumer's offset on; each later call gets
// the events after those of the previous call. `snapshot` must outlive this.
class NewNotifications {
 public:
  explicit NewNotifications(const RowReader& snapshot) : snapshot_(snapshot) {}

  // Returns the new notifications in the order of the events, for users that `is_wanted` accepts.
  // Pass the same users in each call.
  [[nodiscard]] std::vector<Notification> next(
      std::span<const Event> events,
      const std::function<bool(UserNumber)>& is_wanted = [](UserNumber) { return true; });

 private:
  struct Recent {
    RecentNotifications rows;
    bool has_stored = false;
  };
  void fetch_stored(std::span<const Notification> notifications);

  const RowReader& snapshot_;
  std::map<UserNumber, Recent> recent_;
};

}  // namespace chirp::events
