#include "server/json/render_engine.h"

namespace chirp::api {

void write_engine_fields(JsonWriter& json, const feed::FeedSettings& settings) {
  json.field("policy", feed::name(settings.policy));
  json.field("influencerFrom", settings.influencer_from);
  json.field("celebrityAbove", settings.celebrity_above);
  json.field("timelineCap", settings.cap);
  json.field("activeDays", settings.active_days);
}

void write_author_fields(JsonWriter& json, const feed::AuthorDelivery& delivery) {
  json.field("tier", feed::name(delivery.tier));
  json.field("followerCount", static_cast<std::uint64_t>(delivery.followers));
  json.field("delivery", delivery.how == feed::DeliveryMode::kPush ? "pushed" : "pulled");
}

void write_record_fields(JsonWriter& json, const DeliveryRecord& record) {
  json.field("timelines", record.timelines);
  json.field("tookMs", static_cast<std::uint64_t>(record.took_ms));
  json.field("workMicros", static_cast<std::uint64_t>(record.work_ns / 1000));
}

}  // namespace chirp::api
