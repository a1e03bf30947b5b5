// Loads and restores: whole batches, each with one event, its counters and a new generation. A
// batch that stores nothing leaves everything as it is.
#include <algorithm>

#include "core/error.h"
#include "store/memory/content.h"
#include "store/memory/loading.h"
#include "store/memory/storage.h"

namespace chirp::memory {
namespace {

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

enum class Repostable : std::uint8_t { kYes, kAlready, kMissing };

// Whether the repost can be made; fills in whose post it shows.
Repostable repostable(const State& state, Post& repost) {
  const Post* original = loaded_original(state, repost.original);
  if (original == nullptr || original->privacy != Privacy::kPublic) return Repostable::kMissing;
  repost.original_author = original->author;
  repost.text.clear();
  const auto reposts = state.reposts.find(original->id);
  const bool again = reposts != state.reposts.end() && reposts->second.contains(repost.author);
  return again ? Repostable::kAlready : Repostable::kYes;
}

void add_post(State& state, const Post& post, Time now) {
  put_post(state, post);
  tag_loaded(state, post, now);
  add_counters(state, post.author, {.posts = 1});
  if (post.is_repost()) add_content_counters(state, content_of(post.original), {.reposts = 1});
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
      if (state.cards.contains(card.number)) continue;
      put_card(state, card);
      ++stored;
    }
    if (stored > 0) finish_batch(state, stored, {}, now);
  });
}

EdgeResult MemoryStorage::load_edges(std::span<const LoadedEdge> edges, Time now) {
  return transact([&](State& state) {
    EdgeResult result{.counts = {}, .taken = edges.size()};
    std::set<UserNumber> followed;
    for (const auto& [follower, followee] : edges) {
      if (!present(state, follower) || !present(state, followee)) {
        ++result.counts.missing;
        continue;
      }
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
    std::stable_sort(fresh.begin(), fresh.end(), [](const LoadedPost& a, const LoadedPost& b) {
      return a.created_at < b.created_at;
    });
    for (const LoadedPost& loaded : fresh) {
      if (!present(state, loaded.author)) {
        ++counts.missing;
        continue;
      }
      Post post{{},
                loaded.author,
                loaded.text,
                loaded.created_at,
                Privacy::kPublic,
                loaded.source,
                loaded.original};
      const Repostable can = post.is_repost() ? repostable(state, post) : Repostable::kYes;
      if (can != Repostable::kYes) {
        ++(can == Repostable::kMissing ? counts.missing : counts.duplicates);
        continue;
      }
      if (counts.stored == 0) mint(state, now);
      post.id = {loaded_id(state, loaded.created_at, loaded.id.value)};
      add_post(state, post, now);
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
      add_post(state, post, now);
      state.scalars.last_id = std::max(state.scalars.last_id, post.id);
    }
    if (!posts.empty()) finish_batch(state, posts.size(), {}, now);
  });
}

void MemoryStorage::restore_edges(std::span<const RestoredEdge> edges, Time now) {
  transact([&](State& state) {
    std::set<std::pair<UserNumber, UserNumber>> given;
    for (const auto& [follower, followee, since, reposts] : edges) {
      if (has_edge(state, follower, followee) || !given.insert({follower, followee}).second) {
        throw Error(
            ErrorCode::kAlreadyExists,
            "A follow of the export is there already. Restore into an empty data directory.");
      }
    }
    std::set<UserNumber> followed;
    for (const auto& [follower, followee, since, reposts] : edges) {
      load_edge(state, follower, followee, since);
      if (reposts == Reposts::kOff) {
        put_relation(state, follower, Relation::kRepostsOff, followee, since);
      }
      followed.insert(followee);
    }
    if (!edges.empty()) finish_batch(state, edges.size(), followed, now);
  });
}

}  // namespace chirp::memory
