#include "store/lmdb/changes.h"

#include <algorithm>

#include "core/error.h"
#include "core/limits.h"
#include "store/lmdb/cards.h"
#include "store/lmdb/counters.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/keys.h"
#include "store/lmdb/posts.h"
#include "store/lmdb/relations.h"
#include "store/lmdb/removals.h"
#include "store/lmdb/reposts.h"
#include "store/lmdb/timelines.h"

namespace chirp::lmdb {
namespace {

using events::Event;
using events::Topic;

Event event_of(Topic topic, UserNumber actor, UserNumber other = kNobody, PostId post = {}) {
  Event event;
  event.topic = topic;
  event.actor = actor;
  event.other = other;
  event.post = post;
  return event;
}

Event created(const Post& post) {
  Event event = event_of(Topic::kPostCreated, post.author, kNobody, post.id);
  event.privacy = post.privacy;
  return event;
}

void log_mentions(Batch& batch, const Event& where, std::span<const UserNumber> mentions) {
  for (const UserNumber mentioned : mentions) {
    if (mentioned == where.actor || !is_present(batch.txn, mentioned)) continue;
    Event event = event_of(Topic::kMentionCreated, where.actor, mentioned, where.post);
    event.comment = where.comment;
    batch.log(event);
  }
}

// Merges the followee's posts into the follower's timeline, as far as it claims to be complete.
void backfill(Batch& batch, UserNumber follower, UserNumber followee) {
  const auto head = read_head(batch.txn, follower);
  if (!head || head->generation != batch.state.generation) return;
  if (read_counters(batch.txn, follower).following > limits::kPullOnlyFollowees) {
    erase_timeline(batch, follower);
    return;
  }
  const auto mark = read_mark(batch.txn, followee);
  const PostId push_from =
      std::max(batch.state.push_from_all, mark ? mark->push_from : feed::kAlwaysPushed);
  if (push_from == feed::kNeverPushed) return;
  const PostId from = std::max(head->complete_from, push_from);
  const IdRange range{from == kBelowAllPosts ? from : PostId{from.value - 1}, kAboveAllPosts};
  const std::uint32_t cap = batch.state.settings.cap;
  // One more than fits, so that the mark rises when there is more.
  const auto past = author_log(batch.txn, followee, range, cap + 1, Origin::kBackfilled);
  if (past.empty()) return;
  Timeline timeline = *read_timeline(batch.txn, follower);
  merge_entries(timeline, past, cap);
  put_timeline(batch, follower, timeline);
}

// False if the follower did not follow.
bool unfollow(Batch& batch, UserNumber follower, UserNumber followee) {
  if (!erase_edge(batch, Table::kFollowing, follower, followee)) return false;
  erase_edge(batch, Table::kFollowers, followee, follower);
  erase_relation(batch, follower, Relation::kRepostsOff, followee);
  batch.log(event_of(Topic::kFollowRemoved, follower, followee));
  return true;
}

// Of an edge that is there; false if it says so already.
bool switch_reposts(Batch& batch, const Follow& change) {
  const bool changed =
      *change.reposts == Reposts::kOff
          ? put_relation(batch, change.follower, Relation::kRepostsOff, change.followee)
          : erase_relation(batch, change.follower, Relation::kRepostsOff, change.followee);
  if (changed) batch.log(event_of(Topic::kFollowSwitched, change.follower, change.followee));
  return changed;
}

}  // namespace

Outcome apply(Batch& batch, const PutCard& change) {
  const auto there = read_card(batch.txn, change.card.number);
  if (there && there->presence == Presence::kRemoved) return {Result::kMissing, {}, {}, {}};
  if (there && *there == change.card) return {Result::kAlready, {}, {}, {}};
  put_card(batch, change.card);
  if (there) {
    batch.log(event_of(Topic::kUserEdited, change.card.number));
    return {};
  }
  // Nobody is followed yet, so an empty timeline is complete.
  put_timeline(batch, change.card.number, {kBelowAllPosts, batch.state.generation, batch.now, {}});
  batch.log(event_of(Topic::kUserCreated, change.card.number));
  return {};
}

Outcome apply(Batch& batch, const Publish& change) {
  if (!is_present(batch.txn, change.author)) return {Result::kMissing, {}, {}, {}};
  if (!change.idempotency_key.empty()) {
    if (const auto earlier = earlier_outcome(batch.txn, change, batch.now)) return *earlier;
  }
  Post post;
  post.id = batch.mint();
  post.author = change.author;
  post.text = change.text;
  post.created_at = batch.now;
  post.privacy = change.privacy;
  post.media = change.media;
  put_record(batch, post);
  put_in_log(batch, post);
  const Event event = created(post);
  batch.log(event);
  log_mentions(batch, event, change.mentions);
  if (!change.idempotency_key.empty()) put_key(batch, change, post.id);
  return {Result::kDone, post.id, post.author, post.created_at};
}

Outcome apply(Batch& batch, const RemovePost& change) {
  const auto post = read_post(batch.txn, change.id);
  if (!post || !is_present(batch.txn, post->author)) return {Result::kMissing, {}, {}, {}};
  if (post->is_repost()) {
    withdraw(batch, *post);
  } else {
    erase_post(batch, *post);
    queue_removal(batch, content_of(post->id));
    Event event = created(*post);
    event.topic = Topic::kPostRemoved;
    batch.log(event);
  }
  return {Result::kDone, post->id, post->author, post->created_at};
}

Outcome apply(Batch& batch, const Follow& change) {
  check(change.follower != change.followee, "nobody follows themselves");
  if (!is_present(batch.txn, change.follower) || !is_present(batch.txn, change.followee)) {
    return {Result::kMissing, {}, {}, {}};
  }
  if (const auto since =
          read_edge(batch.txn, Table::kFollowing, change.follower, change.followee)) {
    const bool switched = change.reposts && switch_reposts(batch, change);
    return {switched ? Result::kDone : Result::kAlready, {}, {}, *since};
  }
  if (is_severed(batch.txn, batch.state, change.follower, change.followee)) {
    return {Result::kRefused, {}, {}, {}};
  }
  const Edge followee{change.followee, batch.now};
  const Edge follower{change.follower, batch.now};
  EdgeMerger(batch, Table::kFollowing).add(change.follower, {&followee, 1});
  EdgeMerger(batch, Table::kFollowers).add(change.followee, {&follower, 1});
  batch.log(event_of(Topic::kFollowAdded, change.follower, change.followee));
  if (change.reposts) switch_reposts(batch, change);
  backfill(batch, change.follower, change.followee);
  return {Result::kDone, {}, {}, batch.now};
}

Outcome apply(Batch& batch, const Unfollow& change) {
  if (!is_present(batch.txn, change.follower) || !is_present(batch.txn, change.followee)) {
    return {Result::kMissing, {}, {}, {}};
  }
  return {unfollow(batch, change.follower, change.followee) ? Result::kDone : Result::kAlready,
          {},
          {},
          {}};
}

Outcome apply(Batch& batch, const Relate& change) {
  check(change.user != change.other, "nobody blocks or mutes themselves");
  if (!is_present(batch.txn, change.user) || !is_present(batch.txn, change.other)) {
    return {Result::kMissing, {}, {}, {}};
  }
  if (!put_relation(batch, change.user, change.relation, change.other)) {
    return {Result::kAlready, {}, {}, {}};
  }
  const bool block = change.relation == Relation::kBlock;
  batch.log(event_of(block ? Topic::kBlockAdded : Topic::kMuteAdded, change.user, change.other));
  if (block) {
    unfollow(batch, change.user, change.other);
    unfollow(batch, change.other, change.user);
  }
  return {};
}

Outcome apply(Batch& batch, const Unrelate& change) {
  if (!is_present(batch.txn, change.user) || !is_present(batch.txn, change.other)) {
    return {Result::kMissing, {}, {}, {}};
  }
  if (!erase_relation(batch, change.user, change.relation, change.other)) {
    return {Result::kAlready, {}, {}, {}};
  }
  const bool block = change.relation == Relation::kBlock;
  batch.log(
      event_of(block ? Topic::kBlockRemoved : Topic::kMuteRemoved, change.user, change.other));
  return {};
}

Outcome apply(Batch& batch, const MarkRemoved& change) {
  auto card = read_card(batch.txn, change.user);
  if (!card) return {Result::kMissing, {}, {}, {}};
  if (card->presence == Presence::kRemoved) return {Result::kAlready, {}, {}, {}};
  card->presence = Presence::kRemoved;
  // Free at once: whoever comes with this source id from now on is somebody new.
  if (card->source) batch.txn.erase(Table::kUserSources, key(*card->source));
  card->source.reset();
  put_card(batch, *card);
  batch.txn.put(Table::kRemovals, key(change.user), {});
  ++batch.state.removals;
  batch.log(event_of(Topic::kUserRemoved, change.user));
  return {};
}

}  // namespace chirp::lmdb
