// Loads and restores: whole batches, each with one event, its counters and a new generation. A
// batch that stores nothing leaves everything as it is.
#include <algorithm>

#include "core/error.h"
#include "store/memory/storage.h"

namespace chirp::memory {
namespace {

// What every batch that stored something ends with. `touched` are the users whose followers have
// changed.
void finish_batch(State& state, std::uint64_t rows, const std::set<UserNumber>& touched, Time now) {
  ++state.scalars.generation;
  append(state, {.topic = events::Topic::kLoadBatch, .time = now, .actor = kNobody, .rows = rows});
  for (const UserNumber user : touched) retier(state, user, now);
}

bool has_edge(const State& state, UserNumber follower, UserNumber followee) {
  const auto edges = state.following.find(follower);
  return edges != state.following.end() && edges->second.contains(followee);
}

void load_edge(State& state, UserNumber follower, UserNumber followee, Time since) {
  check(state.cards.contains(follower) && state.cards.contains(followee),
        "both ends of a loaded edge have cards");
  put_edge(state, follower, followee, since);
  add_counters(state, follower, {.following = 1});
  add_counters(state, followee, {.followers = 1});
}

// The highest loaded id of the millisecond, if there is one.
std::optional<PostId> last_loaded(const State& state, std::uint64_t ticks) {
  const auto lowest = PostId{snowflake::make(ticks, snowflake::kLoadMachine, 0)};
  const auto above = PostId{snowflake::make(ticks, snowflake::kLoadMachine + 1, 0)};
  auto at = state.posts.lower_bound(above);
  if (at == state.posts.begin()) return std::nullopt;
  --at;
  return at->first >= lowest ? std::optional(at->first) : std::nullopt;
}

// The next free id of machine 1 at `time`, not above the present millisecond of live ids. One that
// spills past that takes the live ids along.
PostId loaded_id(State& state, Time time) {
  std::uint64_t ticks =
      std::min(snowflake::ticks_of(time), snowflake::ticks(state.scalars.last_id.value));
  std::optional<PostId> last = last_loaded(state, ticks);
  while (last && (last->value & (snowflake::kSequences - 1)) == snowflake::kSequences - 1) {
    last = last_loaded(state, ++ticks);
  }
  if (ticks > snowflake::ticks(state.scalars.last_id.value)) {
    mint(state, snowflake::time_of(snowflake::make(ticks, 0, 0)));
  }
  return last ? PostId{last->value + 1}
              : PostId{snowflake::make(ticks, snowflake::kLoadMachine, 0)};
}

}  // namespace

std::vector<std::optional<UserNumber>> MemoryStorage::numbers_of(
    std::span<const SourceId> sources) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::optional<UserNumber>> result;
  for (const SourceId source : sources) {
    const auto found = state_->user_sources.find(source);
    result.push_back(found == state_->user_sources.end() ? std::nullopt
                                                         : std::optional(found->second));
  }
  return result;
}

void MemoryStorage::load_cards(std::span<const AuthorCard> cards, Time now) {
  transact([&](State& state) {
    std::uint64_t stored = 0;
    for (const AuthorCard& card : cards) {
      const auto found = state.cards.find(card.number);
      const bool there = found != state.cards.end();
      if (there && (found->second == card || found->second.presence == Presence::kRemoved)) {
        continue;
      }
      put_card(state, card);
      ++stored;
    }
    if (stored > 0) finish_batch(state, stored, {}, now);
  });
}

Storage::EdgeResult MemoryStorage::load_edges(std::span<const LoadedEdge> edges, Time now) {
  return transact([&](State& state) {
    EdgeResult result{.counts = {}, .taken = edges.size()};
    std::set<UserNumber> followed;
    for (const auto& [follower, followee] : edges) {
      if (has_edge(state, follower, followee)) {
        ++result.counts.duplicates;
        continue;
      }
      load_edge(state, follower, followee, now);
      followed.insert(followee);
      ++result.counts.stored;
    }
    if (result.counts.stored > 0) finish_batch(state, result.counts.stored, followed, now);
    return result;
  });
}

LoadCounts MemoryStorage::load_posts(std::span<const LoadedPost> posts, Time now) {
  return transact([&](State& state) {
    LoadCounts counts;
    std::vector<LoadedPost> fresh;
    std::set<SourceId> given;
    for (const LoadedPost& post : posts) {
      if (state.post_sources.contains(post.source) || !given.insert(post.source).second) {
        ++counts.duplicates;
      } else {
        fresh.push_back(post);
      }
    }
    if (!fresh.empty()) mint(state, now);
    std::stable_sort(fresh.begin(), fresh.end(), [](const LoadedPost& a, const LoadedPost& b) {
      return a.created_at < b.created_at;
    });
    for (const LoadedPost& post : fresh) {
      check(state.cards.contains(post.author), "the author of a loaded post has a card");
      const PostId id = loaded_id(state, post.created_at);
      put_post(state, {id, post.author, post.text, post.created_at, Privacy::kPublic, post.source});
      add_counters(state, post.author, {.posts = 1});
      ++counts.stored;
    }
    if (counts.stored > 0) finish_batch(state, counts.stored, {}, now);
    return counts;
  });
}

void MemoryStorage::restore_posts(std::span<const Post> posts, Time now) {
  transact([&](State& state) {
    std::set<PostId> given;
    for (const Post& post : posts) {
      if (state.posts.contains(post.id) || !given.insert(post.id).second) {
        throw Error(ErrorCode::kAlreadyExists,
                    "The post " + std::to_string(post.id.value) +
                        " is there already. Restore into an empty data directory.");
      }
    }
    for (const Post& post : posts) {
      check(state.cards.contains(post.author), "the author of a restored post has a card");
      put_post(state, post);
      add_counters(state, post.author, {.posts = 1});
      state.scalars.last_id = std::max(state.scalars.last_id, post.id);
    }
    if (!posts.empty()) finish_batch(state, posts.size(), {}, now);
  });
}

void MemoryStorage::restore_edges(std::span<const RestoredEdge> edges, Time now) {
  transact([&](State& state) {
    std::set<std::pair<UserNumber, UserNumber>> given;
    for (const auto& [follower, followee, since] : edges) {
      if (has_edge(state, follower, followee) || !given.insert({follower, followee}).second) {
        throw Error(
            ErrorCode::kAlreadyExists,
            "A follow of the export is there already. Restore into an empty data directory.");
      }
    }
    std::set<UserNumber> followed;
    for (const auto& [follower, followee, since] : edges) {
      load_edge(state, follower, followee, since);
      followed.insert(followee);
    }
    if (!edges.empty()) finish_batch(state, edges.size(), followed, now);
  });
}

}  // namespace chirp::memory
