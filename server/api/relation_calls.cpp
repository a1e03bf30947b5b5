// Operations: following, blocking, muting, and the relationship between two users.
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/limits.h"
#include "server/api/operations.h"
#include "server/json/cursor.h"
#include "server/json/render.h"
#include "server/limits.h"

namespace chirp::api {
namespace {

using http::Lane;
using http::Method;
using http::Response;

// Returns the other user. Users can't follow, block or mute themselves.
User somebody_else(const Call& call) {
  User user = call.user();
  if (user.number == call.me().number) {
    throw unprocessable({{"user", "is yourself; name another user"}});
  }
  return user;
}

// Returns the user to unfollow, unblock or unmute. A suspended user is found only by callers who
// have such a tie to remove.
User held_by(const Call& call, bool social::Relationship::*tie) {
  User other = call.kept_user();
  if (other.suspended && !(call.engine().follows().check(call.me(), other).*tie)) {
    return call.user();  // throws 404
  }
  return other;
}

UserNumber after(const Call& call) {
  const auto cursor = call.query("cursor");
  if (!cursor) return kNobody;
  const auto number = parse_number_cursor(*cursor);
  if (!number) throw bad_parameter("cursor", "is not a nextCursor of this list");
  return *number;
}

std::uint32_t limit(const Call& call) {
  return call.limit(limits::kUserPageDefault, limits::kUserPageMax);
}

Response get_relationship(Call& call) {
  return json(200, write_relationship, call.engine().follows().check(call.me(), call.user()));
}

Response list_suggestions(Call& call) {
  const std::uint32_t most = call.limit(limits::kSuggestionsDefault, limits::kSuggestionsMax);
  return json(200, write_suggestions, call.engine().follows().suggestions(call.me(), most));
}

// Answers each id once, in the order of the request.
Response batch_get_relationships(Call& call) {
  JsonBody fields = call.body();
  const auto ids = fields.ids("userIds", Need::kRequired, 1, limits::kBatchGetMax);
  fields.check();
  std::vector<User> found;
  std::vector<UserId> missing;
  std::set<std::uint64_t> asked;
  for (const std::uint64_t id : *ids) {
    if (!asked.insert(id).second) continue;
    if (auto user = call.engine().accounts().find_id(UserId{id})) {
      found.push_back(*std::move(user));
    } else {
      missing.push_back(UserId{id});
    }
  }
  return json(200, write_relationships, found, call.engine().follows().check(call.me(), found),
              missing);
}

// ---- following

social::FollowState followed(Call& call, const User& other, std::optional<Reposts> reposts) {
  return call.engine().follows().add(call.me(), {&other, 1}, reposts).follows.front();
}

social::FollowState unfollowed(Call& call, const User& other) {
  return call.engine().follows().remove(call.me(), {&other, 1}).follows.front();
}

struct FollowAction {
  bool follows = true;
  std::optional<Reposts> reposts;
};

FollowAction action_in(JsonBody body) {
  FollowAction wanted;
  const auto action = body.string("action", Need::kRequired);
  if (action && *action != "follow" && *action != "unfollow") {
    body.fault("action", "is neither \"follow\" nor \"unfollow\"");
  }
  const auto showing = body.boolean("showingReposts", Need::kOptional);
  body.check();
  wanted.follows = *action == "follow";
  if (showing) wanted.reposts = *showing ? Reposts::kOn : Reposts::kOff;
  return wanted;
}

Response follow(Call& call) {
  if (!call.has_body()) {
    (void)followed(call, somebody_else(call), std::nullopt);
    return nothing();
  }
  const FollowAction wanted = action_in(call.body());
  const social::FollowState state =
      wanted.follows ? followed(call, somebody_else(call), wanted.reposts)
                     : unfollowed(call, held_by(call, &social::Relationship::following));
  return json(200, write_follow_state, state);
}

Response unfollow(Call& call) {
  (void)unfollowed(call, held_by(call, &social::Relationship::following));
  return nothing();
}

template <FollowSide side>
Response list_follows(Call& call) {
  const User user = call.user();
  const social::Follows& follows = call.engine().follows();
  const auto page = side == FollowSide::kFollowing
                        ? follows.following(user, after(call), limit(call))
                        : follows.followers(user, after(call), limit(call));
  return json(200, write_follows, page, side);
}

// ---- blocking and muting

template <Relation relation>
Response set(Call& call) {
  const User other = somebody_else(call);
  (void)call.engine().relations().set(call.me(), relation, other);
  return nothing();
}

template <Relation relation>
Response lift(Call& call) {
  const User other = held_by(call, relation == Relation::kBlock ? &social::Relationship::blocking
                                                                : &social::Relationship::muting);
  (void)call.engine().relations().lift(call.me(), relation, other);
  return nothing();
}

template <Relation relation>
Response list(Call& call) {
  const auto page = call.engine().relations().list(call.me(), relation, after(call), limit(call));
  return json(200, write_related, page);
}

}  // namespace

std::span<const Operation> relation_calls() {
  static constexpr std::array kOperations{
      reading("/v1/users/{user}/relationship", "getRelationship", get_relationship),
      Operation{Method::kPost, "/v1/relationships/batch-get", "batchGetRelationships",
                Access::kSomebody, Lane::kRead, Body::kJson, batch_get_relationships},
      reading("/v1/users/{user}/following", "listFollowing", list_follows<FollowSide::kFollowing>,
              Access::kAnybody),
      reading("/v1/users/{user}/followers", "listFollowers", list_follows<FollowSide::kFollowers>,
              Access::kAnybody),
      reading("/v1/users/me/suggestions", "listSuggestions", list_suggestions),
      reading("/v1/users/me/blocks", "listBlocked", list<Relation::kBlock>),
      reading("/v1/users/me/mutes", "listMuted", list<Relation::kMute>),
      writing(Method::kPost, "/v1/users/{user}/follow", "follow", follow, Body::kOptionalJson),
      writing(Method::kDelete, "/v1/users/{user}/follow", "unfollow", unfollow),
      writing(Method::kPut, "/v1/users/{user}/block", "block", set<Relation::kBlock>),
      writing(Method::kDelete, "/v1/users/{user}/block", "unblock", lift<Relation::kBlock>),
      writing(Method::kPut, "/v1/users/{user}/mute", "mute", set<Relation::kMute>),
      writing(Method::kDelete, "/v1/users/{user}/mute", "unmute", lift<Relation::kMute>),
  };
  return kOperations;
}

}  // namespace chirp::api
