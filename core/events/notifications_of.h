// The notifications of many events, out of one state: for the consumer and for whoever reads what
// the consumer has yet to take in.
//
// A follow, reaction or repost that was taken back and is given again within a day makes no new
// notification: the first one shows again, with its id, time and read state. What decides are the
// newest notifications of the user, a bounded number, so that the consumer and the readers of
// pending events come to the same at any lag.
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

// How many of a user's newest notifications are looked through for an earlier one of the same.
inline constexpr std::uint32_t kNotificationsCompared = 64;

// In the order of the events, also those of what is given again.
[[nodiscard]] std::vector<Notification> notifications_of(const RowReader& snapshot,
                                                         std::span<const Event> events);

// Whether two times are less than 24 hours from each other.
[[nodiscard]] bool is_within_a_day(Time one, Time two);
// Whether it is of what can be taken back and given again: a follow, a reaction or a repost.
[[nodiscard]] bool can_be_repeated(const Notification& notification);
// Whether both are of the same follow, reaction or repost, whenever it was given.
[[nodiscard]] bool is_same_act(const Notification& one, const Notification& two);

// The newest notifications of one user, at most kNotificationsCompared, newest first.
class RecentNotifications {
 public:
  // Whether `next`, which is newer than all of them, gives again what one of them says.
  [[nodiscard]] bool has_first_of(const Notification& next) const;
  void add_newest(const Notification& next);
  void add_oldest(const Notification& next);
  [[nodiscard]] bool is_full() const { return rows_.size() >= kNotificationsCompared; }

 private:
  std::deque<Notification> rows_;
};

// Tells the notifications that are new from those of what is given again, for the events that the
// consumer has yet to take in. Each call gets the events that follow those of the call before; the
// first call those from the consumer's offset on. `snapshot` must outlive it.
class NewNotifications {
 public:
  explicit NewNotifications(const RowReader& snapshot) : snapshot_(snapshot) {}

  // The new ones, in the order of the events, of the users for whom `is_wanted` holds; the same
  // users in each call.
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
