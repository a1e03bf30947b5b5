#include "store/lmdb/comments.h"

#include <limits>

#include "store/lmdb/cards.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/removals.h"
#include "store/lmdb/sight.h"

namespace chirp::lmdb {
namespace {

using events::Event;
using events::Topic;

constexpr std::uint8_t kRemoved = 1;
constexpr std::uint8_t kHasTime = 2;  // the time of writing is not the id's
constexpr std::uint8_t kHasSource = 4;
constexpr std::uint8_t kHasParent = 8;

constexpr Outcome missing() { return {.result = Result::kMissing}; }

Event event_of(Topic topic, const Comment& comment, UserNumber post_author) {
  Event event;
  event.topic = topic;
  event.actor = comment.author;
  event.other = post_author;
  event.post = comment.post;
  event.comment = comment.id;
  event.parent = comment.parent;
  return event;
}

void put_comment_record(Batch& batch, const Comment& comment) {
  const auto k = key(comment.id);
  batch.record.start();
  batch.record.fixed(comment.post.value);
  batch.record.varint(comment.author.value);
  const bool has_time = snowflake::time_of(comment.id.value) != comment.created_at;
  if (has_time) batch.record.zigzag(comment.created_at.ms - snowflake::kEpochMs);
  if (comment.source) batch.record.fixed(comment.source->value);
  if (comment.parent != kNoComment) batch.record.fixed(comment.parent.value);
  batch.record.raw(comment.text);
  const auto flags = static_cast<std::uint8_t>(
      (comment.state == CommentState::kRemoved ? kRemoved : 0u) | (has_time ? kHasTime : 0u) |
      (comment.source ? kHasSource : 0u) | (comment.parent != kNoComment ? kHasParent : 0u));
  batch.txn.append(Table::kComments, k, batch.record.seal(Table::kComments, k, flags));
}

bool has_replies(const Txn& txn, const Comment& comment) {
  return !read_thread(txn, comment.post, comment.id, kNoComment, Direction::kUp, 1).empty();
}

void log_mentions(Batch& batch, const AddComment& change, const Comment& comment) {
  for (const UserNumber mentioned : change.mentions) {
    if (!is_present(batch.txn, mentioned)) continue;
    Event event = event_of(Topic::kMentionCreated, comment, mentioned);
    event.parent = kNoComment;
    batch.log(event);
  }
}

}  // namespace

Comment decode_comment(Bytes key, Bytes value) {
  RecordReader in(Table::kComments, key, value);
  Comment comment;
  comment.id = {u64_at(key)};
  comment.post = {in.fixed<std::uint64_t>()};
  comment.author = {in.varint32()};
  comment.created_at = in.flags() & kHasTime ? in.time() : snowflake::time_of(comment.id.value);
  if (in.flags() & kHasSource) comment.source = SourceId{in.fixed<std::uint64_t>()};
  if (in.flags() & kHasParent) comment.parent = {in.fixed<std::uint64_t>()};
  comment.state = in.flags() & kRemoved ? CommentState::kRemoved : CommentState::kThere;
  comment.text = in.rest();
  return comment;
}

std::optional<Comment> read_comment(const Txn& txn, CommentId id) {
  const auto k = key(id);
  const auto value = txn.get(Table::kComments, k);
  if (!value) return std::nullopt;
  return decode_comment(k, *value);
}

std::vector<CommentId> read_thread(const Txn& txn, PostId post, CommentId parent, CommentId bound,
                                   Direction direction, std::uint32_t limit) {
  std::vector<CommentId> ids;
  const bool down = direction == Direction::kDown;
  if (!down && bound.value == std::numeric_limits<std::uint64_t>::max()) return ids;
  Cursor cursor(txn, Table::kThreads);
  auto item = down ? cursor.before(key(post, parent, bound))
                   : cursor.at_or_after(key(post, parent, CommentId{bound.value + 1}));
  while (item && ids.size() < limit && u64_at(item->key) == post.value &&
         u64_at(item->key, 8) == parent.value) {
    ids.push_back(CommentId{u64_at(item->key, 16)});
    item = down ? cursor.previous() : cursor.next();
  }
  return ids;
}

std::optional<Comment> present_comment(const Batch& batch, CommentId id) {
  auto comment = read_comment(batch.txn, id);
  if (!comment || comment->state == CommentState::kRemoved) return std::nullopt;
  const auto post = read_post(batch.txn, comment->post);
  if (!post || !is_present(batch.txn, post->author) || !is_present(batch.txn, comment->author)) {
    return std::nullopt;
  }
  return comment;
}

std::optional<Comment> seen_comment(const Batch& batch, UserNumber user, CommentId id) {
  auto comment = read_comment(batch.txn, id);
  if (!comment || comment->state == CommentState::kRemoved) return std::nullopt;
  const auto post = seen_original(batch, user, comment->post);
  if (!post || !may_see_comment(batch, user, comment->author, post->author)) return std::nullopt;
  return comment;
}

void put_comment(Batch& batch, const Comment& comment, UserNumber post_author) {
  put_comment_record(batch, comment);
  batch.txn.put(Table::kThreads, key(comment.post, comment.parent, comment.id), {});
  if (comment.source) batch.txn.put(Table::kPostSources, key(*comment.source), key(comment.id));
  if (comment.state == CommentState::kRemoved) return;
  batch.txn.put(Table::kCommentsBy, key(comment.author, comment.id), key(post_author));
}

void erase_comment(Batch& batch, const Comment& comment) {
  batch.txn.erase(Table::kComments, key(comment.id));
  batch.txn.erase(Table::kThreads, key(comment.post, comment.parent, comment.id));
  batch.txn.erase(Table::kCommentsBy, key(comment.author, comment.id));
  if (comment.source) batch.txn.erase(Table::kPostSources, key(*comment.source));
}

void remove_comment(Batch& batch, const Comment& comment) {
  queue_removal(batch, content_of(comment.id));
  if (has_replies(batch.txn, comment)) {
    batch.txn.erase(Table::kCommentsBy, key(comment.author, comment.id));
    if (comment.source) batch.txn.erase(Table::kPostSources, key(*comment.source));
    Comment emptied = comment;
    emptied.state = CommentState::kRemoved;
    emptied.author = kNobody;
    emptied.text.clear();
    emptied.source.reset();
    put_comment_record(batch, emptied);
    return;
  }
  erase_comment(batch, comment);
  for (CommentId above = comment.parent; above != kNoComment;) {
    const auto parent = read_comment(batch.txn, above);
    if (!parent || parent->state != CommentState::kRemoved || has_replies(batch.txn, *parent)) {
      return;
    }
    erase_comment(batch, *parent);
    above = parent->parent;
  }
}

Outcome apply(Batch& batch, const AddComment& change) {
  if (!is_present(batch.txn, change.author)) return missing();
  const auto post = seen_original(batch, change.author, change.post);
  if (!post) return missing();
  if (change.parent != kNoComment) {
    const auto parent = seen_comment(batch, change.author, change.parent);
    if (!parent || parent->post != post->id) return {.result = Result::kNoParent};
  }
  Comment comment;
  comment.id = {batch.mint().value};
  comment.post = post->id;
  comment.author = change.author;
  comment.text = change.text;
  comment.parent = change.parent;
  comment.created_at = batch.now;
  put_comment(batch, comment, post->author);
  batch.log(event_of(Topic::kCommentCreated, comment, post->author));
  log_mentions(batch, change, comment);
  return {.result = Result::kDone,
          .post = post->id,
          .author = post->author,
          .time = comment.created_at,
          .comment = comment.id};
}

Outcome apply(Batch& batch, const RemoveComment& change) {
  const auto comment = present_comment(batch, change.comment);
  if (!comment) return missing();
  const UserNumber post_author = read_post(batch.txn, comment->post)->author;
  remove_comment(batch, *comment);
  batch.log(event_of(Topic::kCommentRemoved, *comment, post_author));
  return {.result = Result::kDone, .post = comment->post, .author = post_author};
}

}  // namespace chirp::lmdb
