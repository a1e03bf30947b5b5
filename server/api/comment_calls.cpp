// Operations: comments under posts, and likes of comments.
#include <array>

#include "core/limits.h"
#include "server/api/operations.h"
#include "server/api/request_values.h"
#include "server/json/cursor.h"
#include "server/json/render_content.h"

namespace chirp::api {
namespace {

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
  return guarded(json(200, write_comment, shown.view), shown.privacy);
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
  return guarded(json(200, write_comments, page, request.sort), page.privacy);
}

Response remove_comment(Call& call) {
  call.engine().comments().remove(call.viewer(), call.comment());
  return nothing();
}

Response like_comment(Call& call) {
  const auto like = call.engine().comments().like(call.me(), call.comment());
  return json(like.novelty == social::Novelty::kNew ? 201 : 200, write_comment_like, like);
}

Response unlike_comment(Call& call) {
  return json(200, write_like_total, call.engine().comments().unlike(call.me(), call.comment()));
}

}  // namespace

std::span<const Operation> comment_calls() {
  static constexpr std::array kOperations{
      writing(Method::kPost, "/v1/posts/{postId}/comments", "createComment", create_comment,
              Body::kJson),
      reading("/v1/posts/{postId}/comments", "listComments", list_comments, Access::kAnybody),
      reading("/v1/comments/{commentId}", "getComment", get_comment, Access::kAnybody),
      writing(Method::kDelete, "/v1/comments/{commentId}", "removeComment", remove_comment),
      writing(Method::kPost, "/v1/comments/{commentId}/like", "likeComment", like_comment),
      writing(Method::kDelete, "/v1/comments/{commentId}/like", "unlikeComment", unlike_comment),
  };
  return kOperations;
}

}  // namespace chirp::api
