#include "server/live/stage_messages.h"

#include <fmt/format.h>

#include "server/json/render_content.h"

namespace chirp::live {
namespace {

using api::JsonWriter;

std::string block(std::string_view event, const JsonWriter& json) {
  return fmt::format("event: {}\ndata: {}\n\n", event, json.text());
}

}  // namespace

void StageReads::add(const feed::Page& page) {
  ++pages;
  posts += page.items.size();
  sources += page.cost.sources;
  examined += page.cost.examined;
  micros += page.cost.micros;
  if (page.cost.from_memory) ++from_memory;
  for (const feed::FeedItem& item : page.items)
    ++by_source.at(static_cast<std::size_t>(item.source));
}

std::string state_block(const feed::FeedSettings& settings) {
  JsonWriter json;
  json.begin_object();
  api::write_engine_fields(json, settings);
  json.end_object();
  return block("state", json);
}

std::string queue_block(const StoreState& state) {
  JsonWriter json;
  json.begin_object();
  json.field("pendingEvents", state.log_end.value - state.fan_out.value);
  json.field("queuedPosts", state.fan_out_queue);
  json.end_object();
  return block("queue", json);
}

std::string post_block(const events::Event& event, const AuthorCard& author,
                       const feed::AuthorDelivery& delivery) {
  JsonWriter json;
  json.begin_object().field("postId", event.post);
  json.field("username", author.username);
  api::write_author_fields(json, delivery);
  json.end_object();
  return block("post", json);
}

std::string delivery_block(const events::DeliveryReport& report, const std::set<PostId>& shown) {
  JsonWriter json;
  std::uint64_t all = 0;
  json.begin_object().key("posts").begin_array();
  for (const events::PostDeliveries& one : report.delivered) {
    all += one.timelines;
    if (!shown.contains(one.post)) continue;
    json.begin_object().field("postId", one.post).field("timelines", one.timelines).end_object();
  }
  json.end_array();
  json.field("timelines", all);
  json.field("workMicros", static_cast<std::uint64_t>(report.took_ns / 1000));
  json.end_object();
  return block("delivery", json);
}

std::string done_block(PostId post, const DeliveryRecord& record) {
  JsonWriter json;
  json.begin_object();
  json.field("postId", post);
  json.field("state", record.stage == DeliveryRecord::Stage::kFetched ? "pulled" : "delivered");
  api::write_record_fields(json, record);
  json.end_object();
  return block("done", json);
}

std::string reads_block(const StageReads& reads) {
  JsonWriter json;
  json.begin_object();
  json.field("pages", reads.pages);
  json.field("posts", reads.posts);
  json.field("sources", reads.sources);
  json.field("examined", reads.examined);
  json.field("micros", reads.micros);
  json.field("fromMemory", reads.from_memory);
  json.key("bySource").begin_object();
  for (std::size_t i = 0; i < reads.by_source.size(); ++i) {
    json.field(feed::name(static_cast<feed::Source>(i)), reads.by_source.at(i));
  }
  json.end_object().end_object();
  return block("reads", json);
}

}  // namespace chirp::live
