// Writes the objects of the HTTP API as JSON. The command line prints the same with `--json`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/feed/page.h"
#include "core/model/user.h"
#include "core/ports/user_directory.h"
#include "core/social/accounts.h"
#include "core/social/follows.h"
#include "core/social/posts.h"
#include "core/social/relations.h"
#include "core/social/suggestions.h"
#include "server/json/json_writer.h"
#include "server/json/render_content.h"

namespace chirp::api {

// E-mail addresses are shown only to their owners and to the operator.
enum class Email : std::uint8_t { kHide, kShow };

void write_user(JsonWriter& json, const social::UserView& view, Email email);  // User
// Writes the fields without the braces.
void write_user_fields(JsonWriter& json, const social::UserView& view, Email email);
void write_users(JsonWriter& json, const social::UserViewPage& page, Email email);  // UserPage

void write_session_fields(JsonWriter& json, const Session& session);
// SessionPage; `current` is the id of the session that sent the request.
void write_sessions(JsonWriter& json, std::span<const Session> sessions, bool more);
void write_related(JsonWriter& json, const social::RelatedPage& page);  // UserPage, by user id
// The fields of a UserSummary, without the braces.
void write_summary_fields(JsonWriter& json, const AuthorCard& card);

// Post; without its counters, or those of its original, if they must be hidden
void write_post(JsonWriter& json, const social::PostView& view,
                ShowCounters counters = ShowCounters::kShow);
void write_posts(JsonWriter& json, const social::PostPage& page);           // PostPage
void write_found_posts(JsonWriter& json, const social::FoundPosts& found);  // BatchGetResult
// Writes the fields of a Post, without counters and braces. Reuses the parts in `printed`.
void write_post_fields(JsonWriter& json, const Post& post, const AuthorCard& author,
                       const feed::SerializedPost& printed = {});

// Prints the fields of a UserSummary, and those of a Post that follow them.
class FieldPrinter final : public feed::PostSerializer {
 public:
  [[nodiscard]] std::string post(const Post& post) const override;
  [[nodiscard]] std::string card(const AuthorCard& card) const override;
};

enum class FollowSide : std::uint8_t { kFollowing, kFollowers };
void write_follow(JsonWriter& json, const social::FollowEntry& entry);
// FollowingPage, FollowersPage
void write_follows(JsonWriter& json, const social::FollowPage& page, FollowSide side);
void write_follow_state(JsonWriter& json, const social::FollowState& state);  // FollowState
void write_follow_state_fields(JsonWriter& json, const social::FollowState& state);
// SuggestionList
void write_suggestions(JsonWriter& json, std::span<const social::Suggestion> suggestions);
void write_relationship(JsonWriter& json, const social::Relationship& relation);  // Relationship
// RelationshipBatch: a relationship for each of `users`
void write_relationships(JsonWriter& json, std::span<const User> users,
                         std::span<const social::Relationship> relations,
                         std::span<const UserId> missing);

void write_feed_item(JsonWriter& json, const feed::FeedItem& item,
                     feed::Explain explain);                                       // FeedItem
void write_feed(JsonWriter& json, const feed::Page& page, feed::Explain explain);  // FeedPage
// Writes the fields after the items of a FeedPage, into the open object.
void write_feed_end_fields(JsonWriter& json, const feed::Page& page, feed::Explain explain);
// FeedPage of a ranked walk, which continues at `next`; empty at its end
void write_ranked_feed(JsonWriter& json, const feed::Page& page,
                       const std::optional<std::string>& next, feed::Explain explain);
void write_refreshed(JsonWriter& json, const feed::Refreshed& refreshed);  // RefreshResult

}  // namespace chirp::api
