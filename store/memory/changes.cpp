// What people do to users, posts and edges.
#include <algorithm>

#include "core/error.h"
#include "store/memory/content.h"
#include "store/memory/storage.h"

namespace chirp::memory {
namespace {

using events::Topic;

constexpr Outcome kMissingOutcome{.result = Result::kMissing};
constexpr Outcome kAlreadyOutcome{.result = Result::kAlready};

// The past of `followee` joins the timeline, as far as timelines hold such posts at all.
void backfill(State& state, UserNumber follower, UserNumber followee) {
  Timeline* timeline = valid_timeline(state, follower);
  const auto log = state.author_logs.find(followee);
  if (timeline == nullptr || log == state.author_logs.end()) return;
  const PostId from = std::max(timeline->complete_from, push_from(state, followee));
  std::vector<Entry> past;
  for (auto at = log->second.lower_bound(from); at != log->second.end(); ++at) {
    past.push_back({*at, followee, Origin::kBackfilled});
  }
  if (past.empty()) return;  // nothing is written, so nothing is trimmed
  std::reverse(past.begin(), past.end());
  merge_entries(*timeline, past, state.scalars.settings.cap);
}

Outcome apply(State& state, const PutCard& change, Time now) {
  const auto found = state.cards.find(change.card.number);
  const bool there = found != state.cards.end();
  if (there && found->second.presence == Presence::kRemoved) return kMissingOutcome;
  if (there && found->second == change.card) return kAlreadyOutcome;
  put_card(state, change.card);
  if (!there) {
    state.timelines[change.card.number] = {
        .complete_from = kBelowAllPosts,
        .generation = state.scalars.generation,
        .last_read = day_of(now),
        .entries = {},
    };
  }
  append(state, {.topic = there ? Topic::kUserEdited : Topic::kUserCreated,
                 .time = now,
                 .actor = change.card.number});
  return {};
}

void append_mentions(State& state, const events::Event& where,
                     std::span<const UserNumber> mentions) {
  for (const UserNumber mentioned : mentions) {
    if (mentioned == where.actor || !present(state, mentioned)) continue;
    append(state, {.topic = Topic::kMentionCreated,
                   .time = where.time,
                   .actor = where.actor,
                   .other = mentioned,
                   .post = where.post,
                   .comment = where.comment});
  }
}

Outcome apply(State& state, const Publish& change, Time now) {
  if (!present(state, change.author)) return kMissingOutcome;
  const bool keyed = !change.idempotency_key.empty();
  if (const auto earlier = keyed ? earlier_outcome(state, change, now) : std::nullopt) {
    return *earlier;
  }
  const PostId id = mint(state, now);
  Post post;
  post.id = id;
  post.author = change.author;
  post.text = change.text;
  post.created_at = now;
  post.privacy = change.privacy;
  post.media = change.media;
  put_post(state, post);
  const events::Event created{.topic = Topic::kPostCreated,
                              .time = now,
                              .actor = change.author,
                              .post = id,
                              .privacy = change.privacy};
  append(state, created);
  append_mentions(state, created, change.mentions);
  if (keyed) state.keys[{change.author, change.idempotency_key}] = {now, id};
  return {.result = Result::kDone, .post = id, .author = change.author, .time = now};
}

events::Event repost_event(Topic topic, const Post& repost, Time now) {
  return {.topic = topic,
          .time = now,
          .actor = repost.author,
          .other = repost.original_author,
          .post = repost.id,
          .original = repost.original};
}

void withdraw(State& state, const Post& repost, Time now) {
  const auto event = repost_event(Topic::kRepostRemoved, repost, now);
  erase_post(state, repost);
  append(state, event);
}

Outcome apply(State& state, const RemovePost& change, Time now) {
  const Post* found = visible_post(state, change.id);
  if (found == nullptr) return kMissingOutcome;
  const UserNumber author = found->author;
  if (found->is_repost()) {
    withdraw(state, *found, now);
  } else {
    const Privacy privacy = found->privacy;
    erase_post(state, *found);
    queue_removal(state, content_of(change.id));
    append(state, {.topic = Topic::kPostRemoved,
                   .time = now,
                   .actor = author,
                   .post = change.id,
                   .privacy = privacy});
  }
  return {.result = Result::kDone, .post = change.id, .author = author};
}

// The user's repost of a post, if there is one.
const Post* repost_by(const State& state, UserNumber user, PostId original) {
  const auto of_original = state.reposts.find(original);
  if (of_original == state.reposts.end()) return nullptr;
  const auto found = of_original->second.find(user);
  return found == of_original->second.end() ? nullptr : &state.posts.at(found->second);
}

Outcome apply(State& state, const Repost& change, Time now) {
  if (!present(state, change.user)) return kMissingOutcome;
  const Post* original = seen_original(state, change.user, change.post);
  if (original == nullptr) return kMissingOutcome;
  if (original->privacy != Privacy::kPublic) return {.result = Result::kRefused};
  if (const Post* there = repost_by(state, change.user, original->id)) {
    return {Result::kAlready, there->id, original->author, there->created_at};
  }
  Post repost;
  repost.id = mint(state, now);
  repost.author = change.user;
  repost.created_at = now;
  repost.original = original->id;
  repost.original_author = original->author;
  put_post(state, repost);
  append(state, repost_event(Topic::kRepostCreated, repost, now));
  return {Result::kDone, repost.id, repost.original_author, now};
}

Outcome apply(State& state, const Unrepost& change, Time now) {
  if (!present(state, change.user)) return kMissingOutcome;
  const Post* original = seen_original(state, change.user, change.post);
  if (original == nullptr) return kMissingOutcome;
  const Post* own = repost_by(state, change.user, original->id);
  if (own == nullptr) return kAlreadyOutcome;
  const PostId id = own->id;
  withdraw(state, *own, now);
  return {.result = Result::kDone, .post = id};
}

// The time of the edge; empty if there is none.
std::optional<Time> edge(const State& state, UserNumber follower, UserNumber followee) {
  const auto edges = state.following.find(follower);
  if (edges == state.following.end()) return std::nullopt;
  const auto found = edges->second.find(followee);
  if (found == edges->second.end()) return std::nullopt;
  return found->second;
}

// Of an edge that is there; false if nothing was to be changed.
bool switch_reposts(State& state, const Follow& change, Time now) {
  const auto& [follower, followee, reposts] = change;
  if (!reposts) return false;
  const bool changed = *reposts == Reposts::kOff
                           ? put_relation(state, follower, Relation::kRepostsOff, followee, now)
                           : erase_relation(state, follower, Relation::kRepostsOff, followee);
  if (changed) {
    append(state,
           {.topic = Topic::kFollowSwitched, .time = now, .actor = follower, .other = followee});
  }
  return changed;
}

Outcome apply(State& state, const Follow& change, Time now) {
  const auto& [follower, followee, reposts] = change;
  if (!present(state, follower) || !present(state, followee)) return kMissingOutcome;
  if (const auto since = edge(state, follower, followee)) {
    const bool switched = switch_reposts(state, change, now);
    return {.result = switched ? Result::kDone : Result::kAlready, .time = *since};
  }
  if (related(state, follower, Relation::kBlock, followee) ||
      related(state, followee, Relation::kBlock, follower)) {
    return {.result = Result::kRefused};
  }
  put_edge(state, follower, followee, now);
  backfill(state, follower, followee);
  append(state, {.topic = Topic::kFollowAdded, .time = now, .actor = follower, .other = followee});
  switch_reposts(state, change, now);
  return {.result = Result::kDone, .time = now};
}

// False if the follower did not follow.
bool unfollow(State& state, UserNumber follower, UserNumber followee, Time now) {
  if (!edge(state, follower, followee)) return false;
  erase_edge(state, follower, followee);
  append(state,
         {.topic = Topic::kFollowRemoved, .time = now, .actor = follower, .other = followee});
  return true;
}

Outcome apply(State& state, const Unfollow& change, Time now) {
  const auto& [follower, followee] = change;
  if (!present(state, follower) || !present(state, followee)) return kMissingOutcome;
  return unfollow(state, follower, followee, now) ? Outcome{} : kAlreadyOutcome;
}

Outcome apply(State& state, const Relate& change, Time now) {
  const auto& [user, other, relation] = change;
  check(user != other, "nobody blocks or mutes themselves");
  if (!present(state, user) || !present(state, other)) return kMissingOutcome;
  if (!put_relation(state, user, relation, other, now)) return kAlreadyOutcome;
  const bool block = relation == Relation::kBlock;
  append(state, {.topic = block ? Topic::kBlockAdded : Topic::kMuteAdded,
                 .time = now,
                 .actor = user,
                 .other = other});
  if (block) {
    unfollow(state, user, other, now);
    unfollow(state, other, user, now);
  }
  return {};
}

Outcome apply(State& state, const Unrelate& change, Time now) {
  const auto& [user, other, relation] = change;
  if (!present(state, user) || !present(state, other)) return kMissingOutcome;
  if (!erase_relation(state, user, relation, other)) return kAlreadyOutcome;
  append(state, {.topic = relation == Relation::kBlock ? Topic::kBlockRemoved : Topic::kMuteRemoved,
                 .time = now,
                 .actor = user,
                 .other = other});
  return {};
}

Outcome apply(State& state, const MarkRemoved& change, Time now) {
  const auto found = state.cards.find(change.user);
  if (found == state.cards.end()) return kMissingOutcome;
  if (found->second.presence == Presence::kRemoved) return kAlreadyOutcome;
  AuthorCard card = found->second;
  card.presence = Presence::kRemoved;
  card.source.reset();
  put_card(state, card);
  state.removing.insert(change.user);
  append(state, {.topic = Topic::kUserRemoved, .time = now, .actor = change.user});
  return {};
}

// Throws, with nothing changed, if the ids run out before every post of the batch has one.
void check_ids_left(const State& state, std::span<const Change> changes, Time now) {
  std::uint64_t last = state.scalars.last_id.value;
  for (const Change& change : changes) {
    const bool mints = std::holds_alternative<Publish>(change) ||
                       std::holds_alternative<Repost>(change) ||
                       std::holds_alternative<AddComment>(change);
    if (mints) last = snowflake::next(now, last, state.machine);
  }
}

}  // namespace

std::vector<Outcome> MemoryStorage::write(std::span<const Change> changes, Time now) {
  return transact([&](State& state) {
    check_ids_left(state, changes, now);
    std::vector<Outcome> outcomes;
    for (const Change& change : changes) {
      outcomes.push_back(
          std::visit([&](const auto& what) { return apply(state, what, now); }, change));
    }
    return outcomes;
  });
}

}  // namespace chirp::memory
