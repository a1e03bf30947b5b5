#include "core/social/notifications.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/model/value_names.h"
#include "core/rules/writing.h"
#include "core/social/notification_filter.h"

namespace chirp::social {
namespace {

constexpr ValueNames<NotificationKind, 6> kNames{{
    {NotificationKind::kFollow, "follow"},
    {NotificationKind::kLike, "like"},
    {NotificationKind::kComment, "comment"},
    {NotificationKind::kReply, "reply"},
    {NotificationKind::kRepost, "repost"},
    {NotificationKind::kMention, "mention"},
}};

}  // namespace

std::string_view name(NotificationKind kind) { return name_in(kNames, kind); }

NotificationPage notifications_in(const Snapshot& snapshot, const NotificationQuery& query) {
  check_page_limit(query.limit, limits::kPostPageMax, "notifications");
  NotificationPage page;
  NotificationFilter filter(snapshot, query.user);
  page.unread = unread_of(snapshot, query.user, filter);
  NotificationWalk walk(snapshot, query.user, query.before);
  while (const auto notification = walk.next()) {
    if (query.wanted == WhichNotifications::kUnread && notification->sequence <= filter.read_to())
      break;
    auto view = filter.view(*notification);
    if (!view) continue;
    if (page.notifications.size() == query.limit) {
      page.next_cursor = page.notifications.back().public_id;
      break;
    }
    page.notifications.push_back(std::move(*view));
  }
  return page;
}

std::optional<Sequence> Notifications::find(UserNumber user, events::NotificationId id) const {
  const Sequence sequence = events::sequence_in(id);
  const auto snapshot = storage_.snapshot();
  const auto found = NotificationWalk(*snapshot, user, {sequence.value + 1}).next();
  return found && events::id_of(*found) == id ? std::optional(sequence) : std::nullopt;
}

std::uint64_t Notifications::read(UserNumber user, std::optional<events::NotificationId> up_to) {
  const auto read_to = up_to ? find(user, *up_to) : kAboveAllEvents;
  if (read_to) rules::mark_notified(storage_, user, *read_to);
  const auto snapshot = storage_.snapshot();
  NotificationFilter filter(*snapshot, user);
  return unread_of(*snapshot, user, filter);
}

}  // namespace chirp::social
