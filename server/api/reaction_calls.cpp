// Operations: likes of posts.
#include <array>

#include "core/limits.h"
#include "server/api/operations.h"
#include "server/json/cursor.h"
#include "server/json/render_content.h"

namespace chirp::api {
namespace {

using http::Method;
using http::Response;

constexpr std::string_view kTypes = "is not like, love, laugh, angry or sad";

ReactionType type_in(JsonBody body) {
  ReactionType type = ReactionType::kLike;
  if (const auto text = body.string("likeType", Need::kOptional)) {
    if (const auto named = reaction_named(*text)) {
      type = *named;
    } else {
      body.fault("likeType", std::string(kTypes));
    }
  }
  body.check();
  return type;
}

Response like(Call& call) {
  const PostId post = call.post();
  const ReactionType type = type_in(call.body());
  const auto state = call.engine().reactions().react(call.me(), post, type);
  return json(state.novelty == social::Novelty::kNew ? 201 : 200, write_like, state);
}

Response unlike(Call& call) {
  return json(200, write_like_total, call.engine().reactions().unreact(call.me(), call.post()));
}

Response list_likes(Call& call) {
  social::LikersRequest request;
  request.post = call.post();
  request.limit = call.limit(limits::kUserPageDefault, limits::kUserPageMax);
  if (const auto text = call.query("likeType")) {
    request.type = reaction_named(*text);
    if (!request.type) throw bad_parameter("likeType", std::string(kTypes));
  }
  if (const auto cursor = call.query("cursor")) {
    const auto number = parse_likers_cursor(request.type, *cursor);
    if (!number) throw bad_parameter("cursor", "is not a nextCursor of this list");
    request.after = *number;
  }
  const auto page = call.engine().reactions().list(call.viewer(), request);
  return guarded(json(200, write_likers, page, request.type), page.privacy);
}

}  // namespace

std::span<const Operation> reaction_calls() {
  static constexpr std::array kOperations{
      writing(Method::kPost, "/v1/posts/{postId}/like", "like", like, Body::kOptionalJson),
      writing(Method::kDelete, "/v1/posts/{postId}/like", "unlike", unlike),
      reading("/v1/posts/{postId}/likes", "listLikes", list_likes, Access::kAnybody),
  };
  return kOperations;
}

}  // namespace chirp::api
