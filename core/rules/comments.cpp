// Comments and replies.
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

}  // namespace

Outcome apply(Rows& rows, const AddComment& change) {
  const bool reply = change.parent != kNoComment;
  const auto post = seen_original(rows, change.author, change.post);
  const auto parent = reply ? seen_comment(rows, change.author, change.parent) : std::nullopt;
  if (!rows.present(change.author) || !post) return {.result = Result::kMissing};
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
  log_mentions(rows, created, change.mentions);
  return {.result = Result::kDone,
          .post = post->id,
          .author = post->author,
          .time = comment.created_at,
          .comment = comment.id};
}

Outcome apply(Rows& rows, const RemoveComment& change) {
  const auto found = present_comment(rows, change.comment);
  if (!found) return {.result = Result::kMissing};
  remove_comment(rows, found->comment);
  rows.log(event_of(Topic::kCommentRemoved, found->comment, found->post_author));
  return {.result = Result::kDone, .post = found->comment.post, .author = found->post_author};
}

}  // namespace chirp::rules
