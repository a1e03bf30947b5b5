// Reactions and comments as the objects of the HTTP API.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/feed/post_stats.h"
#include "core/social/comments.h"
#include "core/social/reactions.h"
#include "server/json/json_writer.h"

namespace chirp::api {

enum class Counters : std::uint8_t { kShow, kHide };

// A count that is never below nothing, whatever is pending.
[[nodiscard]] inline std::uint64_t shown_count(std::int64_t n) {
  return n < 0 ? 0 : static_cast<std::uint64_t>(n);
}

// The counters of a Post, and what the viewer did, as fields of an object that is open.
void write_post_stats(JsonWriter& json, const feed::PostStats& stats,
                      Counters counters = Counters::kShow);

// Writes the field `entities` of an open object, after the text itself. Writes nothing if the text
// has no entities.
void write_entities(JsonWriter& json, std::string_view text);

// `pagination` as a field of an object that is open; without `next` the list has ended.
void write_pagination(JsonWriter& json, const std::optional<std::string>& next);

void write_like(JsonWriter& json, const social::ReactionState& state);       // Like
void write_like_total(JsonWriter& json, std::int64_t total);                 // LikeTotal
void write_comment_like(JsonWriter& json, const social::CommentLike& like);  // CommentLike
void write_liker(JsonWriter& json, const social::Liker& liker);
// LikePage; `type` is the one asked for, if one was.
void write_likers(JsonWriter& json, const social::LikerPage& page,
                  std::optional<ReactionType> type);
void write_comment(JsonWriter& json, const social::CommentView& view);  // Comment
// Writes the fields of a Comment, without entities, counters and braces.
void write_comment_fields(JsonWriter& json, const Comment& comment, const AuthorCard& author);
// CommentPage
void write_comments(JsonWriter& json, const social::CommentPage& page, social::CommentSort sort);

}  // namespace chirp::api
