#include "server/json/render.h"

#include <algorithm>
#include <cmath>

#include "core/model/upload.h"
#include "server/json/cursor.h"
#include "server/json/render_content.h"
#include "server/json/render_row.h"

namespace chirp::api {
namespace {

void write_picture(JsonWriter& json, MediaId picture) {
  if (picture != MediaId{}) json.field("profileImageUrl", address_of(picture));
}

std::optional<std::string> text_of(const std::optional<PostId>& cursor) {
  if (!cursor) return std::nullopt;
  return std::to_string(cursor->value);
}

void write_cursor(JsonWriter& json, std::string_view key,
                  const std::optional<std::string>& cursor) {
  json.key(key);
  if (cursor) {
    json.string(*cursor);
  } else {
    json.null();
  }
}

// Six digits are enough for any reader.
double rounded(double part) { return std::round(part * 1e6) / 1e6; }

void write_explanation(JsonWriter& json, const feed::FeedItem& item) {
  json.key("explanation").begin_object();
  json.field("reason", feed::name(item.reason));
  if (item.reason != feed::Reason::kSelf) {
    const AuthorCard& via =
        item.reason == feed::Reason::kRepost ? *item.reposted_by.front().user : *item.author;
    json.key("via").begin_object();
    json.field("userId", via.id);
    json.field("username", via.username);
    json.end_object();
  }
  json.field("source", feed::name(item.source));
  if (item.score) {
    json.key("scoreParts").begin_object();
    json.field("recency", rounded(item.score->parts.recency));
    json.field("engagement", rounded(item.score->parts.engagement));
    json.field("affinity", rounded(item.score->parts.affinity));
    json.field("variety", rounded(item.score->parts.variety));
    json.end_object();
  }
  json.end_object();
}

void write_reposters(JsonWriter& json, std::span<const feed::Reposter> reposters) {
  if (reposters.empty()) return;
  json.key("repostedBy").begin_array();
  for (const feed::Reposter& reposter : reposters) {
    json.begin_object();
    json.field("userId", reposter.user->id);
    json.field("username", reposter.user->username);
    json.field("postId", reposter.post);
    json.field("createdAt", reposter.created_at);
    json.end_object();
  }
  json.end_array();
}

// Writes one text per medium, if any medium has one.
void write_alt_texts(JsonWriter& json, std::span<const Medium> media) {
  if (std::ranges::all_of(media, [](const Medium& medium) { return medium.alt_text.empty(); })) {
    return;
  }
  json.key("altTexts").begin_array();
  for (const Medium& medium : media) json.string(medium.alt_text);
  json.end_array();
}

// Writes the fields of a Post after its text that do not depend on its author.
void write_fields_behind_text(JsonWriter& json, const Post& post) {
  json.key("mediaUrls").begin_array();
  for (const Medium& medium : post.media) {
    json.string(medium.upload == MediaId{} ? medium.address : address_of(medium.upload));
  }
  json.end_array();
  write_alt_texts(json, post.media);
  json.field("postType", post.is_repost() ? "repost" : post.media.empty() ? "text" : "media");
  json.field("privacy", name(post.privacy));
  json.field("createdAt", post.created_at);
}

// Writes the fields of a Post that do not depend on its author, except the author's id.
void write_content_fields(JsonWriter& json, const Post& post) {
  json.field("content", post.text);
  write_entities(json, post.text);
  write_fields_behind_text(json, post);
}

// Drops unused capacity, because the text is kept for a long time.
std::string compact(std::string text) {
  text.shrink_to_fit();
  return text;
}

void write_weights(JsonWriter& json, const feed::RankWeights& weights) {
  json.key("weights").begin_object();
  json.field("recency", std::uint64_t{weights.recency});
  json.field("engagement", std::uint64_t{weights.engagement});
  json.field("affinity", std::uint64_t{weights.affinity});
  json.field("variety", std::uint64_t{weights.variety});
  json.end_object();
}

void write_end_fields(JsonWriter& json, const feed::Page& page,
                      const std::optional<std::string>& next, feed::Explain explain) {
  json.key("pagination").begin_object();
  write_cursor(json, "nextCursor", next);
  write_cursor(json, "prevCursor", text_of(page.prev_cursor));
  json.field("hasMore", page.has_more);
  json.field("generatedAt", page.generated_at);
  json.end_object();
  if (explain == feed::Explain::kNo) return;
  json.key("cost").begin_object();
  json.field("sources", page.cost.sources);
  json.field("examined", page.cost.examined);
  json.field("micros", page.cost.micros);
  if (page.cost.from_memory) json.field("fromMemory", true);
  json.end_object();
  if (page.weights) write_weights(json, *page.weights);
}

void write_relationship_fields(JsonWriter& json, const social::Relationship& relation) {
  json.field("following", relation.following);
  json.field("followedBy", relation.followed_by);
  json.field("blocking", relation.blocking);
  if (relation.blocked_by) json.field("blockedBy", true);
  json.field("muting", relation.muting);
  json.field("showingReposts", relation.showing_reposts);
}

void write_page(JsonWriter& json, const feed::Page& page, const std::optional<std::string>& next,
                feed::Explain explain) {
  constexpr std::size_t kBytesAnItem = 512;  // an estimate
  json.reserve(kBytesAnItem * (page.items.size() + 1));
  json.begin_object().key("posts").begin_array();
  for (const feed::FeedItem& item : page.items) write_feed_item(json, item, explain);
  json.end_array();
  write_end_fields(json, page, next, explain);
  json.end_object();
}

}  // namespace

void write_user(JsonWriter& json, const social::UserView& view, Email email) {
  json.begin_object();
  write_user_fields(json, view, email);
  json.end_object();
}

void write_user_fields(JsonWriter& json, const social::UserView& view, Email email) {
  json.field("userId", view.user.id);
  json.field("username", view.user.username);
  json.field("displayName", view.user.display_name);
  json.field("bio", view.user.bio);
  write_entities(json, view.user.bio);
  write_picture(json, view.user.picture);
  json.field("createdAt", view.user.created_at);
  json.field("followerCount", shown_count(view.counters.followers));
  json.field("followingCount", shown_count(view.counters.following));
  json.field("postCount", shown_count(view.counters.posts));
  if (email == Email::kShow && view.user.email) json.field("email", *view.user.email);
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

void write_session_fields(JsonWriter& json, const Session& session) {
  json.field("sessionId", session.id).field("createdAt", session.created_at);
  if (session.expires_at) json.field("expiresAt", *session.expires_at);
}

void write_sessions(JsonWriter& json, std::span<const Session> sessions, bool more) {
  json.begin_object().key("sessions").begin_array();
  for (const Session& session : sessions) {
    json.begin_object();
    write_session_fields(json, session);
    json.field("current", session.current).end_object();
  }
  json.end_array();
  std::optional<std::string> next;
  if (more && !sessions.empty()) next = session_cursor(sessions.back());
  write_pagination(json, next);
  json.end_object();
}

void write_related(JsonWriter& json, const social::RelatedPage& page) {
  json.begin_object().key("users").begin_array();
  for (const social::UserView& view : page.users) write_user(json, view, Email::kHide);
  json.end_array();
  std::optional<std::string> next;
  if (page.next_cursor) next = number_cursor(*page.next_cursor);
  write_pagination(json, next);
  json.end_object();
}

void write_summary_fields(JsonWriter& json, const AuthorCard& card) {
  json.field("userId", card.id);
  json.field("username", card.username);
  json.field("displayName", card.display_name);
  write_picture(json, card.picture);
}

void write_post_fields(JsonWriter& json, const Post& post, const AuthorCard& author,
                       const feed::SerializedPost& printed) {
  json.field("postId", post.id);
  if (printed.card.empty()) {
    write_summary_fields(json, author);
  } else {
    json.fields(printed.card);
  }
  if (printed.post.empty()) {
    write_content_fields(json, post);
  } else {
    json.fields(printed.post);
  }
}

void write_post_row(JsonWriter& json, const Post& post, const AuthorCard& author) {
  json.field("postId", post.id);
  write_summary_fields(json, author);
  json.field("content", post.text);
  write_fields_behind_text(json, post);
}

std::string FieldPrinter::post(const Post& post) const {
  JsonWriter json;
  write_content_fields(json, post);
  return compact(json.take());
}

std::string FieldPrinter::card(const AuthorCard& card) const {
  JsonWriter json;
  write_summary_fields(json, card);
  return compact(json.take());
}

void write_post(JsonWriter& json, const social::PostView& view, ShowCounters counters) {
  json.begin_object();
  write_post_fields(json, view.post, view.author);
  if (view.original) {
    json.key("repostOf").begin_object();
    write_post_fields(json, *view.original, *view.original_author);
    write_post_stats(json, view.stats, counters);
    json.end_object();
  } else {
    write_post_stats(json, view.stats, counters);
  }
  json.end_object();
}

void write_posts(JsonWriter& json, const social::PostPage& page) {
  json.begin_object().key("posts").begin_array();
  for (const social::PostView& view : page.posts) write_post(json, view);
  json.end_array();
  write_pagination(json, text_of(page.next_cursor));
  json.end_object();
}

void write_found_posts(JsonWriter& json, const social::FoundPosts& found) {
  json.begin_object().key("posts").begin_array();
  for (const social::PostView& view : found.posts) write_post(json, view);
  json.end_array().key("missing").begin_array();
  for (const PostId id : found.missing) json.id(id.value);
  json.end_array().end_object();
}

void write_follow(JsonWriter& json, const social::FollowEntry& entry) {
  json.begin_object();
  write_summary_fields(json, entry.user);
  json.field("followedAt", entry.since);
  json.end_object();
}

void write_follows(JsonWriter& json, const social::FollowPage& page, FollowSide side) {
  json.begin_object();
  json.key(side == FollowSide::kFollowing ? "following" : "followers").begin_array();
  for (const social::FollowEntry& entry : page.follows) write_follow(json, entry);
  json.end_array();
  std::optional<std::string> next;
  if (page.next_cursor) next = number_cursor(*page.next_cursor);
  write_pagination(json, next);
  json.field("totalCount", shown_count(page.total));
  json.end_object();
}

void write_follow_state_fields(JsonWriter& json, const social::FollowState& state) {
  json.field("followerId", state.follower);
  json.field("followingId", state.followee);
  json.field("status", state.since ? "active" : "none");
  if (state.since) json.field("createdAt", *state.since);
}

void write_follow_state(JsonWriter& json, const social::FollowState& state) {
  json.begin_object();
  write_follow_state_fields(json, state);
  json.end_object();
}

void write_suggestions(JsonWriter& json, std::span<const social::Suggestion> suggestions) {
  json.begin_object().key("suggestions").begin_array();
  for (const social::Suggestion& suggestion : suggestions) {
    json.begin_object();
    write_summary_fields(json, suggestion.user);
    json.field("followerCount", shown_count(suggestion.followers));
    json.key("followedBy").begin_array();
    for (const AuthorCard& friend_of_both : suggestion.through) {
      json.begin_object();
      write_summary_fields(json, friend_of_both);
      json.end_object();
    }
    json.end_array().field("followedByCount", std::uint64_t{suggestion.friends});
    json.end_object();
  }
  json.end_array().end_object();
}

void write_relationship(JsonWriter& json, const social::Relationship& relation) {
  json.begin_object();
  write_relationship_fields(json, relation);
  json.end_object();
}

void write_relationships(JsonWriter& json, std::span<const User> users,
                         std::span<const social::Relationship> relations,
                         std::span<const UserId> missing) {
  json.begin_object().key("relationships").begin_array();
  for (std::size_t i = 0; i < users.size(); ++i) {
    json.begin_object().field("userId", users[i].id);
    write_relationship_fields(json, relations[i]);
    json.end_object();
  }
  json.end_array().key("missing").begin_array();
  for (const UserId id : missing) json.id(id.value);
  json.end_array().end_object();
}

void write_feed_item(JsonWriter& json, const feed::FeedItem& item, feed::Explain explain) {
  json.begin_object();
  write_post_fields(json, *item.post, *item.author, item.printed);
  write_post_stats(json, item.stats);
  if (item.score) json.field("score", rounded(item.score->total));
  write_reposters(json, item.reposted_by);
  if (explain == feed::Explain::kYes) write_explanation(json, item);
  json.end_object();
}

void write_refreshed(JsonWriter& json, const feed::Refreshed& refreshed) {
  json.begin_object().field("newPostsCount", std::uint64_t{refreshed.count});
  json.key("posts").begin_array();
  for (const feed::FeedItem& item : refreshed.items) {
    write_feed_item(json, item, feed::Explain::kNo);
  }
  json.end_array().field("refreshedAt", refreshed.refreshed_at).end_object();
}

void write_feed(JsonWriter& json, const feed::Page& page, feed::Explain explain) {
  write_page(json, page, text_of(page.next_cursor), explain);
}

void write_feed_end_fields(JsonWriter& json, const feed::Page& page, feed::Explain explain) {
  write_end_fields(json, page, text_of(page.next_cursor), explain);
}

void write_ranked_feed(JsonWriter& json, const feed::Page& page,
                       const std::optional<std::string>& next, feed::Explain explain) {
  write_page(json, page, next, explain);
}

}  // namespace chirp::api
