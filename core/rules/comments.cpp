// Comments and replies.
#include "core/limits.h"
#include "core/rules/changes.h"
#include "core/rules/content.h"
#include "core/rules/seen.h"

namespace chirp::rules {

using namespace tables;
using events::Event;
using events::Topic;

namespace {

Event event_of(Topic topic, const Comment& comment, UserNumber post_author) {
  return {.topic = topic,
          .actor = comment.author,
          .other = post_author,
          .post = comment.post,
          .comment = comment.id,
          .parent = comment.parent};
}

// Returns everything that distinguishes requests with the same key. Never equals a post's.
std::string canonical(const AddComment& change) {
  return "comment " + std::to_string(change.post.value) + ' ' +
         std::to_string(change.parent.value) + ' ' + change.text;
}

// Returns the outcome of an earlier request with the same key, if it is recent enough.
std::optional<Outcome> earlier_outcome(const Rows& rows, const KeyedRequest& request) {
  const auto earlier = rows.earlier(request);
  if (!earlier || rows.now().ms - earlier->since.ms >= limits::kKeyKeptMs) return std::nullopt;
  const auto comment = rows.find(Comments::Key{CommentId{earlier->post.value}});
  const auto post = comment ? rows.find(Posts::Key{comment->post}) : std::nullopt;
  if (!earlier->same || !post || comment->author != request.user ||
      comment->state == CommentState::kRemoved) {
    return Outcome{.result = Result::kConflict};
  }
  return Outcome{.result = Result::kAlready,
                 .post = post->id,
                 .author = post->author,
                 .time = comment->created_at,
                 .comment = comment->id};
}

}  // namespace

Outcome apply(Rows& rows, const AddComment& change) {
  const bool keyed = !change.idempotency_key.empty();
  const KeyedRequest request{change.author, change.idempotency_key,
                             keyed ? canonical(change) : std::string{}};
  const auto earlier = keyed ? earlier_outcome(rows, request) : std::nullopt;
  const bool reply = change.parent != kNoComment;
  const auto post = seen_original(rows, change.author, named_post(rows, change.post));
  const auto parent = reply ? seen_comment(rows, change.author, change.parent) : std::nullopt;
  const auto mentioned = mentioned_by(rows, change.author, change.mentions);
  const bool present = rows.present(change.author);
  if (present && earlier) return *earlier;
  if (!present || !post) return {.result = Result::kMissing};
  if (reply && (!parent || parent->post != post->id)) return {.result = Result::kNoParent};
  Comment comment;
  comment.id = {rows.mint().value};
  comment.post = post->id;
  comment.author = change.author;
  comment.text = change.text;
  comment.parent = change.parent;
  comment.created_at = rows.now();
  put_comment(rows, comment, post->author);
  const Event created = event_of(Topic::kCommentCreated, comment, post->author);
  rows.log(created);
  log_mentions(rows, created, mentioned);
  if (keyed) rows.remember(request, PostId{comment.id.value});
  return {.result = Result::kDone,
          .post = post->id,
          .author = post->author,
          .time = comment.created_at,
          .comment = comment.id};
}

Outcome apply(Rows& rows, const RemoveComment& change) {
  const auto comment = rows.find(Comments::Key{change.comment});
  if (!comment || comment->state == CommentState::kRemoved) return {.result = Result::kMissing};
  const auto post = rows.find(Posts::Key{comment->post});
  const bool by_somebody = rows.present(comment->author);
  const Leaving left = leaving(rows, *comment);
  if (!post || !by_somebody || !rows.kept(post->author)) return {.result = Result::kMissing};
  remove_comment(rows, *comment, left);
  rows.log(event_of(Topic::kCommentRemoved, *comment, post->author));
  return {.result = Result::kDone, .post = comment->post, .author = post->author};
}

}  // namespace chirp::rules
