#include "store/memory/state.h"

#include <algorithm>

#include "core/error.h"
#include "core/events/tells_time.h"

namespace chirp::memory {
namespace {

// One event's share of the counters, negative when it takes something back.
void count_event(std::map<UserNumber, UserCounters>& counters, const events::Event& event) {
  using events::Topic;
  switch (event.topic) {
    case Topic::kPostCreated:
    case Topic::kRepostCreated:
      ++counters[event.actor].posts;
      break;
    case Topic::kPostRemoved:
    case Topic::kRepostRemoved:
      --counters[event.actor].posts;
      break;
    case Topic::kFollowAdded:
      ++counters[event.actor].following;
      ++counters[event.other].followers;
      break;
    case Topic::kFollowRemoved:
      --counters[event.actor].following;
      --counters[event.other].followers;
      break;
    default:
      break;
  }
}

}  // namespace

bool present(const State& state, UserNumber user) {
  const auto found = state.cards.find(user);
  return found != state.cards.end() && found->second.presence == Presence::kPresent;
}

const Post* visible_post(const State& state, PostId id) {
  const auto found = state.posts.find(id);
  if (found == state.posts.end() || !present(state, found->second.author)) return nullptr;
  return &found->second;
}

bool may_see(const State& state, UserNumber user, UserNumber author, Privacy privacy) {
  if (!present(state, author)) return false;
  const auto edges = state.following.find(user);
  const Standing standing{edges != state.following.end() && edges->second.contains(author),
                          severed(state, user, author)};
  return sees(Viewer::user(user), author, privacy, standing);
}

const Post* seen_original(const State& state, UserNumber user, PostId id) {
  const auto seen = [&](PostId wanted) -> const Post* {
    const Post* post = visible_post(state, wanted);
    return post != nullptr && may_see(state, user, post->author, post->privacy) ? post : nullptr;
  };
  const Post* post = seen(id);
  if (post == nullptr || !post->is_repost()) return post;
  const Post* original = seen(post->original);
  return original != nullptr && original->privacy == Privacy::kPublic ? original : nullptr;
}

bool severed(const State& state, UserNumber one, UserNumber other) {
  return related(state, one, Relation::kBlock, other) ||
         related(state, other, Relation::kBlock, one);
}

bool related(const State& state, UserNumber user, Relation relation, UserNumber other) {
  const auto found = state.relations.find(user);
  return found != state.relations.end() && found->second.contains({relation, other});
}

feed::AuthorMark mark_of(const State& state, UserNumber author) {
  const auto found = state.marks.find(author);
  return found == state.marks.end() ? feed::AuthorMark{author} : found->second;
}

PostId push_from(const State& state, UserNumber author) {
  return std::max(state.scalars.push_from_all, mark_of(state, author).push_from);
}

std::map<UserNumber, UserCounters> pending_counters(const State& state) {
  std::map<UserNumber, UserCounters> result;
  for (auto at = state.log.lower_bound(state.scalars.counters); at != state.log.end(); ++at) {
    count_event(result, at->second);
  }
  return result;
}

Timeline* valid_timeline(State& state, UserNumber viewer) {
  const auto found = state.timelines.find(viewer);
  if (found == state.timelines.end()) return nullptr;
  return found->second.generation == state.scalars.generation ? &found->second : nullptr;
}

PostId next_id(const State& state) { return PostId{state.scalars.last_id.value + 1}; }

Time day_of(Time time) {
  const std::int64_t into = time.ms % kDayMs;
  return Time{time.ms - (into < 0 ? into + kDayMs : into)};
}

UserCounters sum(const UserCounters& a, const UserCounters& b) {
  return {a.followers + b.followers, a.following + b.following, a.posts + b.posts};
}

PostId mint(State& state, Time now) {
  StoreState& scalars = state.scalars;
  scalars.last_id = PostId{snowflake::next(now, scalars.last_id.value, state.machine)};
  return scalars.last_id;
}

void append(State& state, events::Event event) {
  event.sequence = state.scalars.log_end;
  state.log.emplace(event.sequence, event);
  ++state.scalars.log_end.value;
  if (events::tells_time(event)) state.scalars.passed.see(event.time);
}

void put_card(State& state, const AuthorCard& card) {
  if (const auto old = state.cards.find(card.number); old != state.cards.end()) {
    state.numbers.erase(old->second.id);
    if (old->second.source) state.user_sources.erase(*old->second.source);
  }
  state.cards[card.number] = card;
  state.numbers[card.id] = card.number;
  if (card.source) state.user_sources[*card.source] = card.number;
}

void put_post(State& state, const Post& post) {
  state.posts.insert_or_assign(post.id, post);
  state.author_logs[post.author].insert(post.id);
  if (post.source) state.post_sources[*post.source] = content_of(post.id);
  if (post.is_repost()) state.reposts[post.original][post.author] = post.id;
}

void erase_post(State& state, const Post& post) {
  const Post gone = post;
  if (gone.source) state.post_sources.erase(*gone.source);
  if (gone.is_repost()) {
    auto& of_original = state.reposts[gone.original];
    of_original.erase(gone.author);
    if (of_original.empty()) state.reposts.erase(gone.original);
  }
  state.author_logs[gone.author].erase(gone.id);
  if (state.author_logs[gone.author].empty()) state.author_logs.erase(gone.author);
  state.posts.erase(gone.id);
  state.tags.erase(gone.id);
}

void put_edge(State& state, UserNumber follower, UserNumber followee, Time since) {
  check(follower != followee, "nobody follows themselves");
  state.following[follower][followee] = since;
  state.followers[followee][follower] = since;
}

void erase_edge(State& state, UserNumber follower, UserNumber followee) {
  state.following[follower].erase(followee);
  if (state.following[follower].empty()) state.following.erase(follower);
  erase_relation(state, follower, Relation::kRepostsOff, followee);
  state.followers[followee].erase(follower);
  if (state.followers[followee].empty()) state.followers.erase(followee);
}

bool put_relation(State& state, UserNumber user, Relation relation, UserNumber other, Time since) {
  const bool added = state.relations[user].try_emplace({relation, other}, since).second;
  if (added) ++state.scalars.relations;
  return added;
}

bool erase_relation(State& state, UserNumber user, Relation relation, UserNumber other) {
  const auto found = state.relations.find(user);
  if (found == state.relations.end() || found->second.erase({relation, other}) == 0) return false;
  if (found->second.empty()) state.relations.erase(found);
  --state.scalars.relations;
  return true;
}

void put_mark(State& state, const feed::AuthorMark& mark) {
  if (mark == feed::AuthorMark{mark.author}) {
    state.marks.erase(mark.author);
  } else {
    state.marks[mark.author] = mark;
  }
}

void add_counters(State& state, UserNumber user, const UserCounters& delta) {
  const UserCounters total = sum(state.counters[user], delta);
  if (total == UserCounters{}) {
    state.counters.erase(user);
  } else {
    state.counters[user] = total;
  }
}

void retier(State& state, UserNumber user, Time now) {
  if (!present(state, user)) return;
  const auto counted = state.counters.find(user);
  const std::int64_t followers = counted == state.counters.end() ? 0 : counted->second.followers;
  const feed::AuthorMark mark = mark_of(state, user);
  const feed::FeedSettings& settings = state.scalars.settings;
  const feed::Tier tier = feed::next_tier(mark.tier, followers, settings);
  if (tier == mark.tier) return;
  put_mark(state, feed::with_tier(mark, tier, settings.policy, next_id(state)));
  append(state, {.topic = events::Topic::kTierChanged,
                 .time = now,
                 .actor = user,
                 .rows = static_cast<std::uint64_t>(tier)});
}

}  // namespace chirp::memory
