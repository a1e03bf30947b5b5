// Operations: comments under posts, and likes of comments.
#include <array>

#include "core/limits.h"
#include "server/api/operations.h"
#include "server/api/request_values.h"
#include "server/json/cursor.h"
#include "server/json/render_content.h"

namespace chirp::api {
namespace {

using http::Lane;
using http::Method;
using http::Response;

Response create_comment(Call& call) {
  const PostId post = call.post();
  const auto key = call.idempotency_key();
  JsonBody fields = call.body();
  const auto content = fields.string("content", Need::kRequired);
  const auto parent = fields.id("parentCommentId", Need::kOptional);
  if (parent && CommentId{*parent} == kNoComment) {
    fields.fault("parentCommentId", "is not a comment of this post");
  }
  fields.check();
  const auto published = call.engine().comments().publish(
      call.me(), {post, *content, parent ? CommentId{*parent} : kNoComment, key});
  JsonWriter body;
  write_comment(body, published.view);
  if (published.publication == social::Publication::kRepeated) return json(200, body);
  return created(body, "/v1/comments/" + std::to_string(published.view.comment.id.value));
}

Response get_comment(Call& call) {
  const auto shown = call.engine().comments().show(call.viewer(), call.comment());
  JsonWriter body;
  write_comment(body, shown.view);
  return guarded(json(200, body), shown.privacy);
}

social::CommentSort sort_in(const Call& call) {
  const auto text = call.query("sort");
  if (!text || *text == "newest") return social::CommentSort::kNewest;
  if (*text == "oldest") return social::CommentSort::kOldest;
  if (*text == "popular") return social::CommentSort::kPopular;
  throw bad_parameter("sort", "is not newest, oldest or popular");
}

// Returns the comment whose replies are requested; none: the comments on the post itself.
CommentId parent_in(const Call& call) {
  const auto text = call.query("parentCommentId");
  if (!text) return kNoComment;
  const auto id = id_in(*text);
  if (!id) throw bad_parameter("parentCommentId", "is not an id");
  if (CommentId{*id} == kNoComment) throw not_found("There is no comment 0.");
  return CommentId{*id};
}

Response list_comments(Call& call) {
  social::CommentsRequest request;
  request.post = call.post();
  request.sort = sort_in(call);
  request.limit = call.limit(limits::kPostPageDefault, limits::kPostPageMax);
  if (const auto cursor = call.query("cursor")) {
    request.after = parse_comments_cursor(request.sort, *cursor);
    if (!request.after) throw bad_parameter("cursor", "is not a nextCursor of this list");
  }
  request.parent = parent_in(call);
  if (call.flag("replies", false)) request.replies = social::RepliesWanted::kShown;
  const auto page = call.engine().comments().list(call.viewer(), request);
  JsonWriter body;
  write_comments(body, page, request.sort);
  return guarded(json(200, body), page.privacy);
}

Response remove_comment(Call& call) {
  call.engine().comments().remove(call.viewer(), call.comment());
  return nothing();
}

Response like_comment(Call& call) {
  const auto like = call.engine().comments().like(call.me(), call.comment());
  JsonWriter body;
  write_comment_like(body, like);
  return json(like.novelty == social::Novelty::kNew ? 201 : 200, body);
}

Response unlike_comment(Call& call) {
  JsonWriter body;
  write_like_total(body, call.engine().comments().unlike(call.me(), call.comment()));
  return json(200, body);
}

}  // namespace

std::span<const Operation> comment_calls() {
  static constexpr std::array kOperations{
      Operation{Method::kPost, "/v1/posts/{postId}/comments", "createComment", Access::kSomebody,
                Lane::kWrite, Body::kJson, create_comment},
      Operation{Method::kGet, "/v1/posts/{postId}/comments", "listComments", Access::kAnybody,
                Lane::kRead, Body::kNone, list_comments},
      Operation{Method::kGet, "/v1/comments/{commentId}", "getComment", Access::kAnybody,
                Lane::kRead, Body::kNone, get_comment},
      Operation{Method::kDelete, "/v1/comments/{commentId}", "removeComment", Access::kSomebody,
                Lane::kWrite, Body::kNone, remove_comment},
      Operation{Method::kPost, "/v1/comments/{commentId}/like", "likeComment", Access::kSomebody,
                Lane::kWrite, Body::kNone, like_comment},
      Operation{Method::kDelete, "/v1/comments/{commentId}/like", "unlikeComment",
                Access::kSomebody, Lane::kWrite, Body::kNone, unlike_comment},
  };
  return kOperations;
}

}  // namespace chirp::api
