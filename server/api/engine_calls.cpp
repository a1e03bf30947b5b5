// Operations: how posts are delivered, and the delivery of one post.
#include <array>

#include "core/error.h"
#include "core/feed/delivery.h"
#include "server/api/operations.h"
#include "server/delivery_record.h"
#include "server/engine/deliveries.h"
#include "server/json/render_content.h"

namespace chirp::api {
namespace {

using http::Response;
using RecordStage = DeliveryRecord::Stage;

Response get_engine(Call& call) {
  const auto snapshot = call.engine().storage().snapshot();
  JsonWriter body;
  body.begin_object();
  write_engine_fields(body, snapshot->state().settings);
  if (call.caller() != nullptr) {
    body.key("caller").begin_object();
    write_author_fields(body, feed::delivery_of(*snapshot, call.me().number));
    body.end_object();
  }
  body.end_object();
  return json(200, body);
}

// The recorded delivery has priority over the current marks, which may have changed since.
std::string_view state_of(const Call& call, PostId post,
                          const std::optional<DeliveryRecord>& known) {
  if (known && known->stage == RecordStage::kDelivered) return "delivered";
  if (known && known->stage == RecordStage::kFetched) return "pulled";
  const auto snapshot = call.engine().storage().snapshot();
  switch (feed::arrival_of(*snapshot, post, call.me().number)) {
    case feed::DeliveryState::kPending:
      return known ? "delivering" : "pending";
    case feed::DeliveryState::kPushed:
      return "delivered";
    case feed::DeliveryState::kPulled:
      break;
  }
  return "pulled";
}

Response get_delivery(Call& call) {
  const PostId id = call.post();
  const social::PostView view = call.engine().posts().show(call.viewer(), id);
  if (view.post.author != call.me().number) {
    throw Error(ErrorCode::kForbidden, "Only the author of a post can see how it was delivered.");
  }
  const Deliveries* const deliveries = call.parts().deliveries;
  const auto known = deliveries != nullptr ? deliveries->find(id) : std::nullopt;
  JsonWriter body;
  body.begin_object();
  body.field("postId", id);
  body.field("state", state_of(call, id, known));
  if (known) write_record_fields(body, *known);
  body.end_object();
  return json(200, body);
}

}  // namespace

std::span<const Operation> engine_calls() {
  static constexpr std::array kOperations{
      reading("/v1/engine", "getEngine", get_engine, Access::kAnybody),
      reading("/v1/posts/{postId}/delivery", "getDelivery", get_delivery),
  };
  return kOperations;
}

}  // namespace chirp::api
