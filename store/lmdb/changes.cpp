#include "store/lmdb/changes.h"

#include <algorithm>

#include "core/error.h"
#include "core/limits.h"
#include "store/lmdb/cards.h"
#include "store/lmdb/counters.h"
#include "store/lmdb/edges.h"
#include "store/lmdb/posts.h"
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

// Takes an edge away in both directions, from the side of a user who is being removed; the other
// user's counters change with it.
void erase_both(Batch& batch, UserNumber follower, UserNumber followee, UserNumber removed) {
  erase_edge(batch, Table::kFollowing, follower, followee);
  erase_edge(batch, Table::kFollowers, followee, follower);
  const UserNumber other = removed == follower ? followee : follower;
  const CounterDelta delta =
      removed == follower ? CounterDelta{other, -1, 0, 0} : CounterDelta{other, 0, -1, 0};
  add_counters(batch, {&delta, 1});
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
  Post post;
  post.id = batch.mint();
  post.author = change.author;
  post.text = change.text;
  post.created_at = batch.now;
  post.privacy = change.privacy;
  put_record(batch, post);
  put_in_log(batch, post);
  batch.log(event_of(Topic::kPostCreated, post.author, kNobody, post.id));
  return {Result::kDone, post.id, post.author, post.created_at};
}

Outcome apply(Batch& batch, const RemovePost& change) {
  const auto post = read_post(batch.txn, change.id);
  if (!post || !is_present(batch.txn, post->author)) return {Result::kMissing, {}, {}, {}};
  erase_post(batch, *post);
  batch.log(event_of(Topic::kPostRemoved, post->author, kNobody, post->id));
  return {Result::kDone, post->id, post->author, post->created_at};
}

Outcome apply(Batch& batch, const Follow& change) {
  check(change.follower != change.followee, "nobody follows themselves");
  if (!is_present(batch.txn, change.follower) || !is_present(batch.txn, change.followee)) {
    return {Result::kMissing, {}, {}, {}};
  }
  if (const auto since =
          read_edge(batch.txn, Table::kFollowing, change.follower, change.followee)) {
    return {Result::kAlready, {}, {}, *since};
  }
  const Edge followee{change.followee, batch.now};
  const Edge follower{change.follower, batch.now};
  EdgeMerger(batch, Table::kFollowing).add(change.follower, {&followee, 1});
  EdgeMerger(batch, Table::kFollowers).add(change.followee, {&follower, 1});
  batch.log(event_of(Topic::kFollowAdded, change.follower, change.followee));
  backfill(batch, change.follower, change.followee);
  return {Result::kDone, {}, {}, batch.now};
}

Outcome apply(Batch& batch, const Unfollow& change) {
  if (!is_present(batch.txn, change.follower) || !is_present(batch.txn, change.followee)) {
    return {Result::kMissing, {}, {}, {}};
  }
  if (!erase_edge(batch, Table::kFollowing, change.follower, change.followee)) {
    return {Result::kAlready, {}, {}, {}};
  }
  erase_edge(batch, Table::kFollowers, change.followee, change.follower);
  batch.log(event_of(Topic::kFollowRemoved, change.follower, change.followee));
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

bool remove_some_traces(Batch& batch, UserNumber user, std::uint32_t rows) {
  if (!batch.txn.get(Table::kRemovals, key(user))) return true;
  std::uint32_t left = rows;
  const auto entries = author_log(batch.txn, user, {}, left, Origin::kPushed);
  for (const Entry& entry : entries) {
    if (const auto post = read_post(batch.txn, entry)) erase_post(batch, *post);
  }
  left -= static_cast<std::uint32_t>(entries.size());
  for (const Table table : {Table::kFollowing, Table::kFollowers}) {
    if (left == 0) return false;
    const auto others = read_neighbours_after(batch.txn, table, user, kNobody, left);
    for (const UserNumber other : others) {
      if (table == Table::kFollowing)
        erase_both(batch, user, other, user);
      else
        erase_both(batch, other, user, user);
    }
    left -= static_cast<std::uint32_t>(others.size());
  }
  if (left == 0) return false;

  erase_timeline(batch, user);
  batch.txn.erase(Table::kCounters, key(user));
  put_mark(batch, {user, feed::Tier::kRegular, feed::kAlwaysPushed});
  auto card = read_card(batch.txn, user);
  // The mark stays, so that the log's events still lead to an id; the person is gone from it.
  card->username.clear();
  card->display_name.clear();
  put_card(batch, *card);
  batch.txn.erase(Table::kRemovals, key(user));
  --batch.state.removals;
  return true;
}

}  // namespace chirp::lmdb
