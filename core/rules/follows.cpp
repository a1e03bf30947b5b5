// Follows, blocks and mutes.
#include <algorithm>

#include "core/error.h"
#include "core/limits.h"
#include "core/rules/changes.h"
#include "core/rules/content.h"
#include "core/rules/seen.h"

namespace chirp::rules {

using namespace tables;
using events::Topic;

namespace {

// Merges the followee's posts into the follower's timeline, down to its complete-from mark.
void backfill(Rows& rows, UserNumber follower, UserNumber followee) {
  const auto head = rows.timeline(follower);
  const auto counts = rows.find(UserCounts::Key{follower});
  const auto mark = rows.find(Marks::Key{followee});
  const StoreState& state = rows.state();
  if (!head || head->generation != state.generation) return;
  if (counts && counts->following > limits::kPullOnlyFollowees) {
    rows.erase_timeline(follower);
    return;
  }
  const PostId push_from =
      std::max(state.push_from_all, mark ? mark->push_from : feed::kAlwaysPushed);
  if (push_from == feed::kNeverPushed) return;
  const PostId from = std::max(head->complete_from, push_from);
  // One more than fits, so that the complete-from mark rises if there are more.
  const std::uint32_t fit = state.settings.cap + 1;
  const auto past = rows.range(AuthorLogs::Key{followee, from},
                               AuthorLogs::Key{followee, kAboveAllPosts}, Direction::kDown, fit);
  const auto shared =
      rows.range(FollowersLogs::Key{followee, from}, FollowersLogs::Key{followee, kAboveAllPosts},
                 Direction::kDown, fit);
  std::vector<Entry> entries;
  entries.reserve(past.size() + shared.size());
  const auto add = [&](const auto& log) {
    for (const auto& [key, nothing] : log) {
      entries.push_back({key.id, followee, Origin::kBackfilled});
    }
  };
  add(past);
  add(shared);
  std::ranges::sort(entries, newer);
  entries.resize(std::min<std::size_t>(entries.size(), fit));
  if (!entries.empty()) rows.deliver(follower, entries);
}

// The edge must exist.
void unfollow(Rows& rows, UserNumber follower, UserNumber followee) {
  rows.discard(Following::Key{follower, followee});
  rows.discard(Followers::Key{followee, follower});
  erase_relation(rows, follower, Relation::kRepostsOff, followee);
  rows.log({.topic = Topic::kFollowRemoved, .actor = follower, .other = followee});
}

// The edge must exist. Returns false if nothing changes.
bool switch_reposts(Rows& rows, const Follow& change) {
  if (!change.reposts) return false;
  const auto& [follower, followee, reposts] = change;
  const bool changed =
      *reposts == Reposts::kOff
          ? put_relation(rows, follower, Relation::kRepostsOff, followee, rows.now())
          : erase_relation(rows, follower, Relation::kRepostsOff, followee);
  if (changed) rows.log({.topic = Topic::kFollowSwitched, .actor = follower, .other = followee});
  return changed;
}

}  // namespace

Outcome apply(Rows& rows, const Follow& change) {
  check(change.follower != change.followee, "users cannot follow themselves");
  const auto& [follower, followee, reposts] = change;
  const bool follower_there = rows.present(follower);
  const bool followee_there = rows.present(followee);
  const auto since = rows.find(Following::Key{follower, followee});
  const bool blocked = severed(rows, follower, followee);
  if (!follower_there || !followee_there) return {.result = Result::kMissing};
  if (since) {
    const bool switched = switch_reposts(rows, change);
    return {.result = switched ? Result::kDone : Result::kAlready, .time = *since};
  }
  if (blocked) return {.result = Result::kRefused};
  rows.put(Following::Key{follower, followee}, rows.now());
  rows.put(Followers::Key{followee, follower}, rows.now());
  rows.log({.topic = Topic::kFollowAdded, .actor = follower, .other = followee});
  switch_reposts(rows, change);
  backfill(rows, follower, followee);
  return {.result = Result::kDone, .time = rows.now()};
}

Outcome apply(Rows& rows, const Unfollow& change) {
  const auto& [follower, followee] = change;
  const bool follower_there = rows.present(follower);
  const bool followee_there = rows.kept(followee);
  const bool follows = rows.find(Following::Key{follower, followee}).has_value();
  if (!follower_there || !followee_there) return {.result = Result::kMissing};
  if (!follows) return {.result = Result::kAlready};
  unfollow(rows, follower, followee);
  return {};
}

Outcome apply(Rows& rows, const Relate& change) {
  check(change.user != change.other, "users cannot block or mute themselves");
  const auto& [user, other, relation] = change;
  const bool user_there = rows.present(user);
  const bool other_there = rows.present(other);
  const bool block = relation == Relation::kBlock;
  const bool follows = block && rows.find(Following::Key{user, other}).has_value();
  const bool followed = block && rows.find(Following::Key{other, user}).has_value();
  if (!user_there || !other_there) return {.result = Result::kMissing};
  if (!put_relation(rows, user, relation, other, rows.now())) return {.result = Result::kAlready};
  rows.log(
      {.topic = block ? Topic::kBlockAdded : Topic::kMuteAdded, .actor = user, .other = other});
  if (follows) unfollow(rows, user, other);
  if (followed) unfollow(rows, other, user);
  return {};
}

Outcome apply(Rows& rows, const Unrelate& change) {
  const auto& [user, other, relation] = change;
  const bool user_there = rows.present(user);
  const bool other_there = rows.kept(other);
  const bool there = rows.find(Relations::Key{user, relation, other}).has_value();
  if (!user_there || !other_there) return {.result = Result::kMissing};
  if (!there) return {.result = Result::kAlready};
  erase_relation(rows, user, relation, other);
  const bool block = relation == Relation::kBlock;
  rows.log(
      {.topic = block ? Topic::kBlockRemoved : Topic::kMuteRemoved, .actor = user, .other = other});
  return {};
}

}  // namespace chirp::rules
