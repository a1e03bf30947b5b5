// How posts are delivered, as JSON.
#pragma once

#include "core/feed/delivery.h"
#include "core/model/policy.h"
#include "server/engine/deliveries.h"
#include "server/json/json_writer.h"

namespace chirp::api {

// The fields of an EngineState without those of a caller, without the braces.
void write_engine_fields(JsonWriter& json, const feed::FeedSettings& settings);
// The fields of an AuthorState, without the braces.
void write_author_fields(JsonWriter& json, const feed::AuthorDelivery& delivery);
// The figures of a PostDelivery, without the braces.
void write_record_fields(JsonWriter& json, const DeliveryRecord& record);

}  // namespace chirp::api
