#include "server/json/render_notices.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "server/json/render.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

void write_actor(JsonWriter& json, const AuthorCard& actor) {
  json.begin_object();
  write_summary_fields(json, actor);
  json.end_object();
}

// Writes the fields without the braces.
void write_notification_fields(JsonWriter& json, const social::NotificationView& view,
                               social::ReadState state) {
  json.field("notificationId", view.public_id);
  json.field("type", name(view.kind));
  json.field("createdAt", view.created_at);
  json.field("read", state == social::ReadState::kRead);
  json.key("actor");
  write_actor(json, view.actor);
  if (view.post != PostId{}) json.field("postId", view.post);
  if (view.comment != kNoComment) json.field("commentId", view.comment);
  if (view.reaction) json.field("likeType", name(*view.reaction));
  if (!view.text.empty()) json.field("content", view.text);
}

void write_fold(JsonWriter& json, const social::NotificationFold& fold) {
  json.begin_object();
  write_notification_fields(json, fold.newest, fold.state);
  json.key("actors").begin_array();
  for (std::size_t i = 0; i < std::min(fold.actors.size(), limits::kActorsShown); ++i) {
    write_actor(json, fold.actors[i]);
  }
  json.end_array().field("actorCount", std::uint64_t{fold.actors.size()});
  json.end_object();
}

// Writes the fields after a page's notifications, and ends its object.
void write_end(JsonWriter& json, const std::optional<events::NotificationId>& next,
               std::uint64_t unread) {
  write_pagination(json, next ? std::optional(std::to_string(next->value)) : std::nullopt);
  json.field("unreadCount", unread);
  json.end_object();
}

}  // namespace

void write_notification(JsonWriter& json, const social::NotificationView& view) {
  json.begin_object();
  write_notification_fields(json, view, view.state);
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
  write_end(json, page.next_cursor, page.unread);
}

void write_folded_notifications(JsonWriter& json, const social::FoldedPage& page) {
  json.begin_object().key("notifications").begin_array();
  for (const social::NotificationFold& fold : page.folds) write_fold(json, fold);
  json.end_array();
  write_end(json, page.next_cursor, page.unread);
}

}  // namespace chirp::api
