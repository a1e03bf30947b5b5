#include "core/social/notifications.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "core/rules/writing.h"
#include "core/social/notification_filter.h"

namespace chirp::social {
namespace {

constexpr Sequence kAboveAll{~std::uint64_t{0}};

std::uint64_t count_unread(const Snapshot& snapshot, UserNumber user, NotificationFilter& filter) {
  std::uint64_t unread = 0;
  NotificationWalk walk(snapshot, user, kAboveAll);
  while (const auto notification = walk.next()) {
    if (notification->sequence <= filter.read_to()) break;
    if (filter.view(*notification)) ++unread;
  }
  return unread;
}

}  // namespace

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
  if (query.limit < 1 || query.limit > limits::kPostPageMax) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("A page holds 1 to {} notifications, not {}.", limits::kPostPageMax,
                            query.limit),
                "limit");
  }
  NotificationPage page;
  NotificationFilter filter(snapshot, query.user);
  page.unread = count_unread(snapshot, query.user, filter);
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

NotificationPage Notifications::list(std::string_view name, NotificationQuery query) const {
  query.user = accounts_.resolve(name).number;
  return notifications_in(*storage_.snapshot(), query);
}

std::uint64_t Notifications::read(std::string_view name, std::optional<Sequence> up_to) {
  const UserNumber user = accounts_.resolve(name).number;
  rules::mark_notified(storage_, user, up_to.value_or(kAboveAll));
  const auto snapshot = storage_.snapshot();
  NotificationFilter filter(*snapshot, user);
  return count_unread(*snapshot, user, filter);
}

}  // namespace chirp::social
