// Writes the delivery of posts as JSON.
#pragma once

#include "core/feed/delivery.h"
#include "core/model/policy.h"
#include "server/delivery_record.h"
#include "server/json/json_writer.h"

namespace chirp::api {

// Writes the fields of an EngineState that do not depend on the caller, without the braces.
void write_engine_fields(JsonWriter& json, const feed::FeedSettings& settings);
// Writes the fields of an AuthorState, without the braces.
void write_author_fields(JsonWriter& json, const feed::AuthorDelivery& delivery);
// Writes the figures of a PostDelivery, without the braces.
void write_record_fields(JsonWriter& json, const DeliveryRecord& record);

}  // namespace chirp::api
