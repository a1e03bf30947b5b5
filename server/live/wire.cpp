#include "server/live/wire.h"

#include <array>

#include <fmt/format.h>

#include "server/json/render.h"
#include "server/json/render_content.h"
#include "server/json/render_notices.h"
#include "server/live/event_ids.h"

namespace chirp::live {
namespace {

void write(api::JsonWriter& json, const feed::FeedItem& item) {
  write_feed_item(json, item, feed::Explain::kNo);
}
void write(api::JsonWriter& json, const social::LiveRemoval& removal) {
  json.begin_object().field("postId", removal.post).end_object();
}
void write(api::JsonWriter& json, const social::NotificationView& view) {
  write_notification(json, view);
}

}  // namespace

std::string_view name(const social::LiveMessage& message) {
  static constexpr std::array<std::string_view, 3> kNames{"post", "post_removed", "notification"};
  return kNames[message.what.index()];
}

std::string block_of(const social::LiveMessage& message, std::uint32_t digest) {
  api::JsonWriter json;
  std::visit([&](const auto& what) { write(json, what); }, message.what);
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", event_id_text(message.id, digest),
                     name(message), json.text());
}

std::string block_of(const social::PostCount& count) {
  api::JsonWriter json;
  json.begin_object().field("postId", count.post);
  write_post_stats(json, count.stats);
  json.end_object();
  return fmt::format("event: {}\ndata: {}\n\n", kCounts, json.text());
}

std::string heartbeat(std::optional<std::string> id) {
  return id ? fmt::format(": heartbeat\nid: {}\n\n", *id) : ": heartbeat\n\n";
}

}  // namespace chirp::live
