#include "server/json/render_notices.h"

#include <optional>
#include <string>

#include "server/json/render.h"

namespace chirp::api {
void write_notification(JsonWriter& json, const social::NotificationView& view) {
  json.begin_object();
  json.field("notificationId", view.id);
  json.field("type", name(view.kind));
  json.field("createdAt", view.created_at);
  json.field("read", view.state == social::ReadState::kRead);
  json.key("actor").begin_object();
  write_summary_fields(json, view.actor);
  json.end_object();
  if (view.post != PostId{}) json.field("postId", view.post);
  if (view.comment != kNoComment) json.field("commentId", view.comment);
  if (view.reaction) json.field("likeType", name(*view.reaction));
  if (!view.text.empty()) json.field("content", view.text);
  json.end_object();
}

void write_trend(JsonWriter& json, const social::Trend& trend) {
  json.begin_object();
  json.field("tag", trend.tag);
  json.field("postCount", trend.posts);
  json.field("score", trend.score);
  json.end_object();
}

void write_trends(JsonWriter& json, const social::TrendList& list, std::string_view window) {
  json.begin_object().key("trends").begin_array();
  for (const social::Trend& trend : list.trends) write_trend(json, trend);
  json.end_array();
  json.field("window", window);
  json.field("generatedAt", list.generated_at);
  json.end_object();
}

void write_notifications(JsonWriter& json, const social::NotificationPage& page) {
  json.begin_object().key("notifications").begin_array();
  for (const social::NotificationView& view : page.notifications) write_notification(json, view);
  json.end_array();
  std::optional<std::string> next;
  if (page.next_cursor) next = std::to_string(page.next_cursor->value);
  write_pagination(json, next);
  json.field("unreadCount", page.unread);
  json.end_object();
}

}  // namespace chirp::api
