// Writes reactions, comments and the delivery of posts as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/feed/delivery.h"
#include "core/feed/page.h"
#include "core/model/policy.h"
#include "core/social/comments.h"
#include "core/social/reactions.h"
#include "server/delivery_record.h"
#include "server/json/json_writer.h"

namespace chirp::api {

// Writes the fields of an EngineState that do not depend on the caller, without the braces.
void write_engine_fields(JsonWriter& json, const feed::FeedSettings& settings);
// Writes the fields of an AuthorState, without the braces.
void write_author_fields(JsonWriter& json, const feed::AuthorDelivery& delivery);
// Writes the figures of a PostDelivery, without the braces.
void write_record_fields(JsonWriter& json, const DeliveryRecord& record);

enum class ShowCounters : std::uint8_t { kShow, kHide };

// Returns the count, or 0 if pending events make it negative.
[[nodiscard]] inline std::uint64_t shown_count(std::int64_t n) {
  return n < 0 ? 0 : static_cast<std::uint64_t>(n);
}

// Writes the counters of a Post and what the viewer did, as fields of the open object.
void write_post_stats(JsonWriter& json, const feed::PostStats& stats,
                      ShowCounters counters = ShowCounters::kShow);

// Writes the field `entities` of an open object, after the text itself. Writes nothing if the text
// has no entities.
void write_entities(JsonWriter& json, std::string_view text);

// Writes the field `pagination` of the open object; without `next` the list has ended.
void write_pagination(JsonWriter& json, const std::optional<std::string>& next);

void write_like(JsonWriter& json, const social::ReactionState& state);       // Like
void write_like_total(JsonWriter& json, std::int64_t total);                 // LikeTotal
void write_comment_like(JsonWriter& json, const social::CommentLike& like);  // CommentLike
void write_liker(JsonWriter& json, const social::Liker& liker);
// LikePage; `type` is the requested type, if any.
void write_likers(JsonWriter& json, const social::LikerPage& page,
                  std::optional<ReactionType> type);
void write_comment(JsonWriter& json, const social::CommentView& view);  // Comment
// Writes the fields of a Comment, without entities, counters and braces.
void write_comment_fields(JsonWriter& json, const Comment& comment, const AuthorCard& author);
// CommentPage
void write_comments(JsonWriter& json, const social::CommentPage& page, social::CommentSort sort);

}  // namespace chirp::api
