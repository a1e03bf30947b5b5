#include "store/lmdb/reactions.h"

#include "store/lmdb/cards.h"
#include "store/lmdb/comments.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/sight.h"

namespace chirp::lmdb {
namespace {

using events::Event;
using events::Topic;

// What a reaction is to: a post, or a comment under it.
struct Target {
  UserNumber author;
  PostId post;
  CommentId comment{};

  [[nodiscard]] ContentId content() const {
    return comment == kNoComment ? content_of(post) : content_of(comment);
  }
};

Outcome outcome(Result result, const Target& target) {
  Outcome outcome;
  outcome.result = result;
  outcome.post = target.post;
  outcome.author = target.author;
  return outcome;
}

constexpr Outcome missing() { return {.result = Result::kMissing}; }

Event event_of(Topic topic, UserNumber user, const Target& target, ReactionType type) {
  Event event;
  event.topic = topic;
  event.actor = user;
  event.other = target.author;
  event.post = target.post;
  event.comment = target.comment;
  event.reaction = type;
  return event;
}

Outcome set(Batch& batch, UserNumber user, const Target& target, ReactionType type) {
  auto reaction = read_reaction(batch.txn, target.content(), user);
  Outcome result = outcome(Result::kDone, target);
  if (reaction) result.before = reaction->type;
  result.time = reaction ? reaction->since : batch.now;
  if (result.before == type) {
    result.result = Result::kAlready;
    return result;
  }
  if (!reaction) reaction = Reaction{user, type, batch.now, batch.state.log_end};
  reaction->type = type;
  put_reaction(batch, target.content(), target.author, *reaction);
  Event event = event_of(Topic::kReactionSet, user, target, type);
  event.reaction_before = result.before;
  batch.log(event);
  return result;
}

// Of a reaction that is there.
Outcome take_back(Batch& batch, const Reaction& reaction, const Target& target) {
  erase_reaction(batch, target.content(), reaction.user);
  batch.log(event_of(Topic::kReactionRemoved, reaction.user, target, reaction.type));
  Outcome result = outcome(Result::kDone, target);
  result.before = reaction.type;
  return result;
}

}  // namespace

ReactionRow decode_reaction(Bytes key, Bytes value) {
  RecordReader in(Table::kReactions, key, value);
  ReactionRow row;
  row.content = {u64_at(key)};
  row.reaction.user = user_at(key, 8);
  row.reaction.type = static_cast<ReactionType>(in.flags());
  row.reaction.since = in.time();
  row.reaction.event = {in.varint()};
  if (name(row.reaction.type).empty()) in.broken();
  return row;
}

std::optional<Reaction> read_reaction(const Txn& txn, ContentId content, UserNumber user) {
  const auto k = key(content, user);
  const auto value = txn.get(Table::kReactions, k);
  if (!value) return std::nullopt;
  return decode_reaction(k, *value).reaction;
}

std::vector<Reaction> read_reactions(const Txn& txn, ContentId content, UserNumber after,
                                     std::optional<ReactionType> type, std::uint32_t limit) {
  std::vector<Reaction> reactions;
  if (after.value == ~0u || limit == 0) return reactions;
  Cursor cursor(txn, Table::kReactions);
  for (auto item = cursor.at_or_after(key(content, UserNumber{after.value + 1}));
       item && u64_at(item->key) == content.value; item = cursor.next()) {
    const Reaction reaction = decode_reaction(item->key, item->value).reaction;
    if (type && reaction.type != *type) continue;
    reactions.push_back(reaction);
    if (reactions.size() == limit) break;
  }
  return reactions;
}

void put_reaction(Batch& batch, ContentId content, UserNumber author, const Reaction& reaction) {
  const auto k = key(content, reaction.user);
  batch.record.start();
  batch.record.zigzag(reaction.since.ms - snowflake::kEpochMs);
  batch.record.varint(reaction.event.value);
  batch.txn.put(Table::kReactions, k,
                batch.record.seal(Table::kReactions, k, static_cast<std::uint8_t>(reaction.type)));
  batch.txn.put(Table::kReactionsBy, key(reaction.user, content), key(author));
}

bool erase_reaction(Batch& batch, ContentId content, UserNumber user) {
  batch.txn.erase(Table::kReactionsBy, key(user, content));
  return batch.txn.erase(Table::kReactions, key(content, user));
}

Outcome apply(Batch& batch, const React& change) {
  if (!is_present(batch.txn, change.user)) return missing();
  const auto post = seen_original(batch, change.user, change.post);
  if (!post) return missing();
  return set(batch, change.user, {post->author, post->id}, change.type);
}

Outcome apply(Batch& batch, const Unreact& change) {
  if (!is_present(batch.txn, change.user)) return missing();
  const auto post = seen_original(batch, change.user, change.post);
  if (!post) return missing();
  const Target target{post->author, post->id};
  if (const auto reaction = read_reaction(batch.txn, target.content(), change.user)) {
    return take_back(batch, *reaction, target);
  }
  return outcome(Result::kAlready, target);
}

Outcome apply(Batch& batch, const LikeComment& change) {
  if (!is_present(batch.txn, change.user)) return missing();
  const auto comment = seen_comment(batch, change.user, change.comment);
  if (!comment) return missing();
  return set(batch, change.user, {comment->author, comment->post, comment->id},
             ReactionType::kLike);
}

Outcome apply(Batch& batch, const UnlikeComment& change) {
  if (!is_present(batch.txn, change.user)) return missing();
  const auto comment = seen_comment(batch, change.user, change.comment);
  if (!comment) return missing();
  const Target target{comment->author, comment->post, comment->id};
  if (const auto like = read_reaction(batch.txn, target.content(), change.user)) {
    return take_back(batch, *like, target);
  }
  return outcome(Result::kAlready, target);
}

}  // namespace chirp::lmdb
