// The activity in a lively generated world: comments, reposts and reactions to its newest posts.
// The same for the same options, and about the same posts for any end of the world.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/load/seed.h"
#include "core/load/seed_random.h"
#include "core/load/source.h"
#include "core/model/ids.h"
#include "core/model/reaction.h"
#include "core/model/time.h"

namespace chirp::load {

// One reaction to a post, with source ids.
struct SeedReaction {
  SourceId user;
  SourceId post;
  ReactionType type = ReactionType::kLike;
  Time since;

  bool operator==(const SeedReaction&) const = default;
};

class SeedLife {
 public:
  // `world` must be lively, and must outlive this.
  explicit SeedLife(const SeedWorld& world);

  // Passes on the comments on a post of the world, replies to them and reposts of it. Each is later
  // than the post or comment that it is about, by less than a day, and before the end. Only public
  // posts of the newest quarter have any.
  void each_answer(const SourcePost& post, const std::function<void(SourcePost&&)>& take) const;
  // Adds the reactions to it, at most one per user.
  void add_reactions(const SourcePost& post, std::vector<SeedReaction>& reactions) const;

 private:
  // The users who may answer: the author's community, or everyone if the celebrity has posted.
  struct Crowd {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    std::uint32_t author = 0;  // one of them
    bool is_everybody = false;
  };
  [[nodiscard]] bool is_lively(const SourcePost& post) const;
  [[nodiscard]] Crowd crowd_of(const SourcePost& post) const;
  // So many different users, fewer if there are no more or if the author is among them.
  [[nodiscard]] static std::vector<std::uint32_t> some_of(const Crowd& crowd, std::uint64_t count,
                                                          SeedRandom& random);
  [[nodiscard]] Time time_after(const SourcePost& post, SeedRandom& random) const;
  // Ascending.
  [[nodiscard]] std::vector<Time> times_after(const SourcePost& post, std::size_t count,
                                              SeedRandom& random) const;
  // The `n`-th answer to `post`, by `user`, without its text.
  [[nodiscard]] SourcePost answer(const SourcePost& post, std::uint64_t n, std::uint32_t user,
                                  Time time) const;

  const SeedWorld& world_;
};

}  // namespace chirp::load
