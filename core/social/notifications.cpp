#include "core/social/notifications.h"

#include "core/limits.h"
#include "core/model/page_limit.h"
#include "core/rules/writing.h"
#include "core/social/notification_filter.h"

namespace chirp::social {

std::string_view name(NotificationKind kind) {
  switch (kind) {
    case NotificationKind::kFollow:
      return "follow";
    case NotificationKind::kLike:
      return "like";
    case NotificationKind::kComment:
      return "comment";
    case NotificationKind::kReply:
      return "reply";
    case NotificationKind::kRepost:
      return "repost";
    case NotificationKind::kMention:
      return "mention";
  }
  return {};
}

NotificationPage notifications_in(const Snapshot& snapshot, const NotificationQuery& query) {
  check_page_limit(query.limit, limits::kPostPageMax, "notifications");
  NotificationPage page;
  NotificationFilter filter(snapshot, query.user);
  page.unread = unread_of(snapshot, query.user, filter);
  NotificationWalk walk(snapshot, query.user, query.before);
  while (const auto notification = walk.next()) {
    if (query.wanted == Wanted::kUnread && notification->sequence <= filter.read_to()) break;
    auto view = filter.view(*notification);
    if (!view) continue;
    if (page.notifications.size() == query.limit) {
      page.next_cursor = page.notifications.back().id;
      break;
    }
    page.notifications.push_back(std::move(*view));
  }
  return page;
}

std::uint64_t Notifications::read(UserNumber user, std::optional<Sequence> up_to) {
  rules::mark_notified(storage_, user, up_to.value_or(kAboveAllEvents));
  const auto snapshot = storage_.snapshot();
  NotificationFilter filter(*snapshot, user);
  return unread_of(*snapshot, user, filter);
}

}  // namespace chirp::social
