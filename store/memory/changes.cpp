// What people do, and the removal of a user step by step.
#include <algorithm>

#include "core/error.h"
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

Outcome apply(State& state, const Publish& change, Time now) {
  if (!present(state, change.author)) return kMissingOutcome;
  const PostId id = mint(state, now);
  put_post(state, {id, change.author, change.text, now, change.privacy, std::nullopt});
  append(state, {.topic = Topic::kPostCreated, .time = now, .actor = change.author, .post = id});
  return {.result = Result::kDone, .post = id, .author = change.author, .time = now};
}

Outcome apply(State& state, const RemovePost& change, Time now) {
  const Post* found = visible_post(state, change.id);
  if (found == nullptr) return kMissingOutcome;
  const UserNumber author = found->author;
  erase_post(state, *found);
  append(state, {.topic = Topic::kPostRemoved, .time = now, .actor = author, .post = change.id});
  return {.result = Result::kDone, .post = change.id, .author = author};
}

// The time of the edge; empty if there is none.
std::optional<Time> edge(const State& state, UserNumber follower, UserNumber followee) {
  const auto edges = state.following.find(follower);
  if (edges == state.following.end()) return std::nullopt;
  const auto found = edges->second.find(followee);
  if (found == edges->second.end()) return std::nullopt;
  return found->second;
}

Outcome apply(State& state, const Follow& change, Time now) {
  const auto& [follower, followee] = change;
  if (!present(state, follower) || !present(state, followee)) return kMissingOutcome;
  if (const auto since = edge(state, follower, followee)) {
    return {.result = Result::kAlready, .time = *since};
  }
  put_edge(state, follower, followee, now);
  backfill(state, follower, followee);
  append(state, {.topic = Topic::kFollowAdded, .time = now, .actor = follower, .other = followee});
  return {.result = Result::kDone, .time = now};
}

Outcome apply(State& state, const Unfollow& change, Time now) {
  const auto& [follower, followee] = change;
  if (!present(state, follower) || !present(state, followee)) return kMissingOutcome;
  if (!edge(state, follower, followee)) return kAlreadyOutcome;
  erase_edge(state, follower, followee);
  append(state,
         {.topic = Topic::kFollowRemoved, .time = now, .actor = follower, .other = followee});
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
    if (std::holds_alternative<Publish>(change)) last = snowflake::next(now, last, state.machine);
  }
}

// An edge goes, and both ends count one less. `other` is the end that stays.
void remove_edge(State& state, UserNumber follower, UserNumber followee, UserNumber other,
                 Time now) {
  erase_edge(state, follower, followee);
  add_counters(state, follower, {.following = -1});
  add_counters(state, followee, {.followers = -1});
  retier(state, other, now);
}

// Removes one trace of the user; false if there was none.
bool remove_trace(State& state, UserNumber user, Time now) {
  if (const auto log = state.author_logs.find(user); log != state.author_logs.end()) {
    erase_post(state, state.posts.at(*log->second.begin()));
    add_counters(state, user, {.posts = -1});
    return true;
  }
  if (const auto edges = state.following.find(user); edges != state.following.end()) {
    const UserNumber followee = edges->second.begin()->first;
    remove_edge(state, user, followee, followee, now);
    return true;
  }
  if (const auto edges = state.followers.find(user); edges != state.followers.end()) {
    const UserNumber follower = edges->second.begin()->first;
    remove_edge(state, follower, user, follower, now);
    return true;
  }
  return state.timelines.erase(user) > 0;
}

bool has_traces(const State& state, UserNumber user) {
  return state.author_logs.contains(user) || state.following.contains(user) ||
         state.followers.contains(user) || state.timelines.contains(user);
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

bool MemoryStorage::remove_traces(UserNumber user, std::uint32_t rows, Time now) {
  return transact([&](State& state) {
    if (!state.removing.contains(user)) return true;
    for (std::uint32_t row = 0; row < rows && remove_trace(state, user, now);) ++row;
    if (has_traces(state, user)) return false;
    AuthorCard& card = state.cards.at(user);
    card.username.clear();
    card.display_name.clear();
    state.marks.erase(user);
    state.removing.erase(user);
    return true;
  });
}

}  // namespace chirp::memory
