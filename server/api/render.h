// The objects of the HTTP API, written as JSON. The command line prints the same with `--json`.
#pragma once

#include <cstdint>
#include <span>

#include "core/feed/page.h"
#include "core/model/user.h"
#include "core/social/accounts.h"
#include "core/social/follows.h"
#include "core/social/posts.h"
#include "server/api/json_writer.h"

namespace chirp::api {

// E-mail addresses are for their owners, and for the operator.
enum class Email : std::uint8_t { kHide, kShow };

void write_user(JsonWriter& json, const social::UserView& view, Email email);       // User
void write_users(JsonWriter& json, const social::UserViewPage& page, Email email);  // UserPage

void write_post(JsonWriter& json, const social::PostView& view);   // Post
void write_posts(JsonWriter& json, const social::PostPage& page);  // PostPage
// The fields of a Post, without counters and without the braces.
void write_post_fields(JsonWriter& json, const Post& post, const AuthorCard& author);

enum class FollowSide : std::uint8_t { kFollowing, kFollowers };
// FollowingPage, FollowersPage
void write_follows(JsonWriter& json, const social::FollowPage& page, FollowSide side);
void write_follow_state(JsonWriter& json, const social::FollowState& state);  // FollowState
void write_follow_state_fields(JsonWriter& json, const social::FollowState& state);
void write_relationship(JsonWriter& json, const social::Relationship& relation);  // Relationship

void write_feed(JsonWriter& json, const feed::Page& page, feed::Explain explain);  // FeedPage
void write_refreshed(JsonWriter& json, const feed::Refreshed& refreshed);          // RefreshResult

}  // namespace chirp::api
