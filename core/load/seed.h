// Generates a believable network: users, follows and posts that are the same for the same options,
// byte by byte, on any machine.
//
// It uses the loaders, so running it twice adds nothing, and an interrupted run continues.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/load/seed_graph.h"
#include "core/load/source.h"
#include "core/load/tally.h"
#include "core/load/turns.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"

namespace chirp::load {

inline constexpr std::uint64_t kSeedUsersMax = 10'000'000;
inline constexpr std::uint64_t kSeedRowsMax = 4'000'000'000;  // follows, and posts

struct SeedOptions {
  std::uint64_t users = 1'000;
  std::uint64_t follows = 20'000;
  std::uint64_t posts = 10'000;
  std::uint64_t seed = 1;
  // The end of the world: all sign-ups, follows and posts are before it.
  Time until{1'767'225'600'000};  // 2026-01-01
  // The same people, with additional activity: a celebrity, a fifth of all posts in the last two
  // days, some posts for followers only, hashtags of the last day, and comments, reposts and
  // reactions.
  bool alive = false;
};

// Throws Error{kInvalidArgument} if the options do not fit: more follows than there are pairs, no
// users for posts, an end that is after `now` or not a day after 2000.
void check_seed(const SeedOptions& options, Time now);

// The world itself, without storing it.
class SeedWorld {
 public:
  explicit SeedWorld(const SeedOptions& options);

  [[nodiscard]] const SeedOptions& options() const { return options_; }
  // In the order of signing up.
  [[nodiscard]] LoadedUser user(std::uint32_t user) const;
  [[nodiscard]] SourceId user_source(std::uint32_t user) const;
  [[nodiscard]] std::uint32_t user_of(SourceId source) const;
  [[nodiscard]] std::string username(std::uint32_t user) const;
  [[nodiscard]] SeedGraph::Community community(std::uint32_t user) const {
    return graph_.community(user);
  }
  // The user with the most followers; in a lively world most users follow them. The world must have
  // users.
  [[nodiscard]] std::uint32_t celebrity() const;
  // The source ids of posts are above this, in the order of time.
  [[nodiscard]] std::uint64_t post_base() const { return post_base_; }
  // The position of a post of this world: 0, 1, 2, … in the order of time.
  [[nodiscard]] std::uint64_t ordinal_of(const SourcePost& post) const {
    return post.id.value - post_base_ - 1;
  }
  // Adds the follows of `user` to `edges`, as edges between source ids.
  void add_follows(std::uint32_t user, std::vector<SourceEdge>& edges);
  // Every post in the order of time.
  void each_post(const std::function<void(SourcePost&&)>& take) const;

 private:
  [[nodiscard]] std::uint32_t author_of(SeedRandom& random) const;
  [[nodiscard]] SourcePost post(std::uint64_t ordinal, std::uint32_t author, Time time,
                                SeedRandom& random) const;
  void enliven(SourcePost& post, std::uint64_t ordinal) const;
  [[nodiscard]] std::uint64_t hour_weight(std::uint64_t hour) const;

  SeedOptions options_;
  SeedGraph graph_;
  std::uint64_t source_base_;  // above all ids of real sources
  std::uint64_t post_base_;    // of the ids of posts; a lively world has others
  std::uint64_t stride_ = 1;   // scatters busy users over all communities
  std::int64_t hours_;         // in which people post, before the end
  Time first_hour_;
  Time first_sign_up_;
};

struct SeedProgress {
  // Called with the number of rows that have been made since the last call.
  std::function<void(std::uint64_t)> made;
  Pause pause;
};

// Returns how many rows plant() makes: users, follows, posts, answers and reactions. A lively world
// is generated once for that, without being stored.
[[nodiscard]] std::uint64_t rows_of(const SeedOptions& options);

// `stored` and `duplicates` count all rows together; `missing` and `unknown_originals` the rows of
// and about users who were removed meanwhile, `severed` the follows that a block forbids.
Counts plant(const SeedOptions& options, Storage& storage, UserDirectory& directory,
             const Clock& clock, const SeedProgress& progress);

}  // namespace chirp::load
