// Operations: the caller's notifications.
#include <array>

#include "core/limits.h"
#include "core/social/notification_folds.h"
#include "server/api/operations.h"
#include "server/api/request_values.h"
#include "server/json/render_notices.h"

namespace chirp::api {
namespace {

using http::Method;
using http::Response;

// The cursor of this list is the id of the page's last notification.
Sequence before(const Call& call, std::string_view cursor) {
  const auto id = id_in(cursor);
  const auto found =
      id ? call.engine().notifications().find(call.me().number, {*id}) : std::nullopt;
  if (!found) {
    throw bad_parameter("cursor",
                        "is not a nextCursor of this list as it is now; begin without it");
  }
  return *found;
}

Response list_notifications(Call& call) {
  social::NotificationQuery query;
  query.user = call.me().number;
  query.limit = call.limit(limits::kPostPageDefault, limits::kPostPageMax);
  if (const auto cursor = call.query("cursor")) query.before = before(call, *cursor);
  query.wanted = call.flag("unread", false) ? social::WhichNotifications::kUnread
                                            : social::WhichNotifications::kAll;
  JsonWriter body;
  if (call.flag("folded", false)) {
    write_folded_notifications(
        body, social::folded_notifications(*call.engine().storage().snapshot(), query));
  } else {
    write_notifications(body, call.engine().notifications().list(query));
  }
  return json(200, body);
}

Response read_notifications(Call& call) {
  JsonBody fields = call.body();
  std::optional<events::NotificationId> up_to;
  // Null does not count as absent here: it would mark everything as read.
  if (fields.is_null("upTo")) {
    fields.fault("upTo", "is null; leave it out to mark everything");
  } else if (const auto id = fields.id("upTo", Need::kOptional)) {
    up_to = events::NotificationId{*id};
  }
  fields.check();
  const std::uint64_t unread = call.engine().notifications().read(call.me().number, up_to);
  JsonWriter body;
  body.begin_object().field("unreadCount", unread).end_object();
  return json(200, body);
}

}  // namespace

std::span<const Operation> notification_calls() {
  static constexpr std::array kOperations{
      reading("/v1/notifications", "listNotifications", list_notifications),
      writing(Method::kPost, "/v1/notifications/read", "readNotifications", read_notifications,
              Body::kOptionalJson),
  };
  return kOperations;
}

}  // namespace chirp::api
