#include "server/json/render_content.h"

#include <optional>
#include <string>
#include <vector>

#include "core/model/entities.h"
#include "core/model/upload.h"
#include "server/json/cursor.h"
#include "server/json/render.h"

namespace chirp::api {
namespace {

void write_counters(JsonWriter& json, const ContentCounters& counters) {
  const std::uint64_t likes = shown_count(counters.reactions_in_all());
  json.field("likeCount", likes);
  json.field("commentCount", shown_count(counters.comments));
  json.field("repostCount", shown_count(counters.reposts));
  if (likes != 0) {
    json.key("likeCounts").begin_object();
    for (std::size_t i = 0; i < kReactionTypes; ++i) {
      if (counters.reactions[i] <= 0) continue;
      json.field(name(static_cast<ReactionType>(i + 1)), shown_count(counters.reactions[i]));
    }
    json.end_object();
  }
}

}  // namespace

void write_entities(JsonWriter& json, std::string_view text) {
  const std::vector<Entity> entities = entities_in(text);
  if (entities.empty()) return;
  json.key("entities").begin_array();
  for (const Entity& entity : entities) {
    json.begin_object().field("type", name(entity.type));
    json.field("begin", entity.begin).field("end", entity.end).field("value", entity.value);
    json.end_object();
  }
  json.end_array();
}

void write_pagination(JsonWriter& json, const std::optional<std::string>& next) {
  json.key("pagination").begin_object().key("nextCursor");
  if (next) {
    json.string(*next);
  } else {
    json.null();
  }
  json.field("hasMore", next.has_value()).end_object();
}

void write_post_stats(JsonWriter& json, const feed::PostStats& stats, ShowCounters counters) {
  if (counters == ShowCounters::kShow) write_counters(json, stats.counters);
  if (!stats.knows_viewer) return;
  json.field("userLiked", stats.reaction.has_value());
  if (stats.reaction) json.field("userLikeType", name(*stats.reaction));
  json.field("userReposted", stats.reposted);
}

void write_like(JsonWriter& json, const social::ReactionState& state) {
  json.begin_object();
  json.field("postId", state.post);
  json.field("userId", state.user);
  json.field("likeType", name(state.type));
  json.field("createdAt", state.since);
  json.field("newTotalLikes", shown_count(state.total));
  json.end_object();
}

void write_like_total(JsonWriter& json, std::int64_t total) {
  json.begin_object().field("newTotalLikes", shown_count(total)).end_object();
}

void write_comment_like(JsonWriter& json, const social::CommentLike& like) {
  json.begin_object();
  json.field("commentId", like.comment);
  json.field("userId", like.user);
  json.field("createdAt", like.since);
  json.field("newTotalLikes", shown_count(like.total));
  json.end_object();
}

void write_liker(JsonWriter& json, const social::Liker& liker) {
  json.begin_object();
  write_summary_fields(json, liker.user);
  json.field("likeType", name(liker.type));
  json.field("createdAt", liker.since);
  json.end_object();
}

void write_likers(JsonWriter& json, const social::LikerPage& page,
                  std::optional<ReactionType> type) {
  json.begin_object().key("likes").begin_array();
  for (const social::Liker& liker : page.likers) write_liker(json, liker);
  json.end_array();
  std::optional<std::string> next;
  if (page.next_cursor) next = likers_cursor(type, *page.next_cursor);
  write_pagination(json, next);
  json.field("totalCount", shown_count(page.total));
  json.end_object();
}

void write_comment_fields(JsonWriter& json, const Comment& comment, const AuthorCard& author) {
  json.field("commentId", comment.id);
  json.field("postId", comment.post);
  json.field("userId", author.id);
  json.field("username", author.username);
  json.field("displayName", author.display_name);
  json.field("content", comment.text);
  json.key("parentCommentId");
  if (comment.parent == kNoComment) {
    json.null();
  } else {
    json.id(comment.parent.value);
  }
  json.field("createdAt", comment.created_at);
}

namespace {

void write_comments(JsonWriter& json, const std::vector<social::CommentView>& comments,
                    const std::optional<social::CommentCursor>& next, social::CommentSort sort) {
  json.begin_object().key("comments").begin_array();
  for (const social::CommentView& view : comments) write_comment(json, view);
  json.end_array();
  std::optional<std::string> cursor;
  if (next) cursor = comments_cursor(sort, *next);
  write_pagination(json, cursor);
  json.end_object();
}

}  // namespace

void write_comment(JsonWriter& json, const social::CommentView& view) {
  json.begin_object();
  write_comment_fields(json, view.comment, view.author);
  write_entities(json, view.comment.text);
  if (view.author.picture != MediaId{}) {
    json.field("profileImageUrl", address_of(view.author.picture));
  }
  json.field("likeCount", shown_count(view.likes));
  json.field("replyCount", shown_count(view.replies));
  if (view.liked) json.field("userLiked", *view.liked);
  if (view.comment.state == CommentState::kRemoved) json.field("removed", true);
  if (view.shown) {
    json.key("replies");
    write_comments(json, view.shown->comments, view.shown->next, social::CommentSort::kOldest);
  }
  json.end_object();
}

void write_comments(JsonWriter& json, const social::CommentPage& page, social::CommentSort sort) {
  write_comments(json, page.comments, page.next, sort);
}

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
