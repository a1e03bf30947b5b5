#include "core/events/notifications_of.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "core/ports/reads.h"

namespace chirp::events {
namespace {

// Number of users whose stored notifications are read at once.
constexpr std::size_t kUsersAtOnce = 256;
constexpr Sequence kLast{std::numeric_limits<std::uint64_t>::max()};

bool is_reply(const Event& event) {
  return event.topic == Topic::kCommentCreated && event.parent != kNoComment;
}

}  // namespace

std::vector<Notification> notifications_of(const RowReader& snapshot,
                                           std::span<const Event> events) {
  std::vector<CommentId> parents;
  for (const Event& event : events) {
    if (is_reply(event)) parents.push_back(event.parent);
  }
  std::map<CommentId, UserNumber> authors;
  for (const auto& parent : reads::comments(snapshot, parents)) {
    if (parent) authors.emplace(parent->id, parent->author);
  }
  std::vector<Notification> result;
  for (const Event& event : events) {
    const auto found = is_reply(event) ? authors.find(event.parent) : authors.end();
    const UserNumber parent_author = found == authors.end() ? kNobody : found->second;
    for (Notification& one : notifications_of(event, parent_author)) result.push_back(one);
  }
  return result;
}

bool is_within_a_day(Time one, Time two) { return std::abs(one.ms - two.ms) < kDayMs; }

bool can_be_repeated(const Notification& notification) {
  return notification.topic == Topic::kFollowAdded || notification.topic == Topic::kReactionSet ||
         notification.topic == Topic::kRepostCreated;
}

bool is_same_act(const Notification& one, const Notification& two) {
  return can_be_repeated(one) && one.topic == two.topic && one.user == two.user &&
         one.actor == two.actor && one.post == two.post && one.comment == two.comment;
}

// ---- earlier notifications

bool RecentNotifications::has_first_of(const Notification& next) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const Notification& row) {
    return is_same_act(row, next) && is_within_a_day(row.time, next.time);
  });
}

void RecentNotifications::add_newest(const Notification& next) {
  if (is_full()) rows_.pop_back();
  rows_.push_front(next);
}

void RecentNotifications::add_oldest(const Notification& next) {
  if (!is_full()) rows_.push_back(next);
}

std::vector<Notification> NewNotifications::next(std::span<const Event> events,
                                                 const std::function<bool(UserNumber)>& is_wanted) {
  std::vector<Notification> result = notifications_of(snapshot_, events);
  std::erase_if(result, [&](const Notification& one) { return !is_wanted(one.user); });
  fetch_stored(result);
  std::erase_if(result, [&](const Notification& one) {
    RecentNotifications& recent = recent_[one.user].rows;
    if (recent.has_first_of(one)) return true;
    recent.add_newest(one);
    return false;
  });
  return result;
}

// Fetches the stored notifications of each user with a notification that may be a repeat.
void NewNotifications::fetch_stored(std::span<const Notification> notifications) {
  std::vector<UserNumber> users;
  for (const Notification& one : notifications) {
    Recent& recent = recent_[one.user];
    if (!can_be_repeated(one) || recent.has_stored) continue;
    recent.has_stored = true;
    if (!recent.rows.is_full()) users.push_back(one.user);
  }
  using Keys = KeyRange<tables::Notifications>;
  for (std::span<const UserNumber> left = users; !left.empty();) {
    const auto some = left.first(std::min(left.size(), kUsersAtOnce));
    left = left.subspan(some.size());
    std::vector<Keys> wanted;
    for (const UserNumber user : some) wanted.push_back({{user, Sequence{0}}, {user, kLast}});
    const auto stored = TableReader<tables::Notifications>(snapshot_).ranges(
        wanted, Direction::kDown, kNotificationsCompared,
        std::numeric_limits<std::uint64_t>::max());
    for (std::size_t i = 0; i < stored.size(); ++i) {
      for (const auto& [key, row] : stored[i]) recent_[some[i]].rows.add_oldest(row);
    }
  }
}

}  // namespace chirp::events
