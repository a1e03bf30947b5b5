#include "server/api/render.h"

#include "server/api/cursor.h"

namespace chirp::api {
namespace {

// What others did with a post.
struct PostCounts {
  std::uint64_t likes = 0;
  std::uint64_t comments = 0;
  std::uint64_t reposts = 0;
};

void write_counts(JsonWriter& json, const PostCounts& counts) {
  json.field("likeCount", counts.likes);
  json.field("commentCount", counts.comments);
  json.field("repostCount", counts.reposts);
}

// A count that is never below nothing, whatever is pending.
std::uint64_t count(std::int64_t n) { return n < 0 ? 0 : static_cast<std::uint64_t>(n); }

void write_summary(JsonWriter& json, const AuthorCard& card) {
  json.field("userId", card.id);
  json.field("username", card.username);
  json.field("displayName", card.display_name);
}

void write_cursor(JsonWriter& json, std::string_view key, const std::optional<PostId>& cursor) {
  json.key(key);
  if (cursor) {
    json.id(cursor->value);
  } else {
    json.null();
  }
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

void write_explanation(JsonWriter& json, const feed::FeedItem& item) {
  json.key("explanation").begin_object();
  json.field("reason", feed::name(item.reason));
  if (item.reason != feed::Reason::kSelf) {
    json.key("via").begin_object();
    json.field("userId", item.author.id);
    json.field("username", item.author.username);
    json.end_object();
  }
  json.field("source", feed::name(item.source));
  json.end_object();
}

void write_feed_item(JsonWriter& json, const feed::FeedItem& item, feed::Explain explain) {
  json.begin_object();
  write_post_fields(json, item.post, item.author);
  write_counts(json, PostCounts{});
  json.field("userLiked", false);
  if (explain == feed::Explain::kYes) write_explanation(json, item);
  json.end_object();
}

}  // namespace

std::string_view name(Privacy privacy) {
  switch (privacy) {
    case Privacy::kPublic:
      return "public";
    case Privacy::kFollowers:
      return "followers";
    case Privacy::kPrivate:
      return "private";
  }
  return {};
}

void write_user(JsonWriter& json, const social::UserView& view, Email email) {
  json.begin_object();
  json.field("userId", view.user.id);
  json.field("username", view.user.username);
  json.field("displayName", view.user.display_name);
  json.field("bio", view.user.bio);
  json.field("createdAt", view.user.created_at);
  json.field("followerCount", count(view.counters.followers));
  json.field("followingCount", count(view.counters.following));
  json.field("postCount", count(view.counters.posts));
  if (email == Email::kShow && view.user.email) json.field("email", *view.user.email);
  json.end_object();
}

void write_users(JsonWriter& json, const social::UserViewPage& page, Email email) {
  json.begin_object().key("users").begin_array();
  for (const social::UserView& view : page.users) write_user(json, view, email);
  json.end_array();
  std::optional<std::string> next;
  if (page.more && !page.users.empty()) next = name_cursor(page.users.back().user.username);
  write_pagination(json, next);
  json.end_object();
}

void write_post_fields(JsonWriter& json, const Post& post, const AuthorCard& author) {
  json.field("postId", post.id);
  write_summary(json, author);
  json.field("content", post.text);
  json.key("mediaUrls").begin_array().end_array();
  json.field("postType", "text");
  json.field("privacy", name(post.privacy));
  json.field("createdAt", post.created_at);
}

void write_post(JsonWriter& json, const social::PostView& view) {
  json.begin_object();
  write_post_fields(json, view.post, view.author);
  write_counts(json, PostCounts{});
  json.end_object();
}

void write_posts(JsonWriter& json, const social::PostPage& page) {
  json.begin_object().key("posts").begin_array();
  for (const social::PostView& view : page.posts) write_post(json, view);
  json.end_array();
  std::optional<std::string> next;
  if (page.next_cursor) next = std::to_string(page.next_cursor->value);
  write_pagination(json, next);
  json.end_object();
}

void write_follows(JsonWriter& json, const social::FollowPage& page, FollowSide side) {
  json.begin_object();
  json.key(side == FollowSide::kFollowing ? "following" : "followers").begin_array();
  for (const social::FollowEntry& entry : page.follows) {
    json.begin_object();
    write_summary(json, entry.user);
    json.field("followedAt", entry.since);
    json.end_object();
  }
  json.end_array();
  std::optional<std::string> next;
  if (page.next_cursor) next = number_cursor(*page.next_cursor);
  write_pagination(json, next);
  json.field("totalCount", count(page.total));
  json.end_object();
}

void write_follow_state(JsonWriter& json, const social::FollowState& state) {
  json.begin_object();
  json.field("followerId", state.follower);
  json.field("followingId", state.followee);
  json.field("status", state.since ? "active" : "none");
  if (state.since) json.field("createdAt", *state.since);
  json.end_object();
}

void write_relationship(JsonWriter& json, const social::Relationship& relation) {
  json.begin_object();
  json.field("following", relation.following);
  json.field("followedBy", relation.followed_by);
  json.field("blocking", false);
  json.field("muting", false);
  json.field("showingReposts", relation.following);
  json.end_object();
}

void write_feed(JsonWriter& json, const feed::Page& page, feed::Explain explain) {
  json.begin_object().key("posts").begin_array();
  for (const feed::FeedItem& item : page.items) write_feed_item(json, item, explain);
  json.end_array();
  json.key("pagination").begin_object();
  write_cursor(json, "nextCursor", page.next_cursor);
  write_cursor(json, "prevCursor", page.prev_cursor);
  json.field("hasMore", page.has_more);
  json.field("generatedAt", page.generated_at);
  json.end_object();
  if (explain == feed::Explain::kYes) {
    json.key("cost").begin_object();
    json.field("sources", page.cost.sources);
    json.field("examined", page.cost.examined);
    json.field("micros", page.cost.micros);
    json.end_object();
  }
  json.end_object();
}

}  // namespace chirp::api
