// What people do in a made-up world that is alive: what they answer, repost and like of its newest
// posts. The same for the same options, and about the same posts wherever the world ends.
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

// One reaction to a post, in the terms of the load.
struct SeedReaction {
  SourceId user;
  SourceId post;
  ReactionType type = ReactionType::kLike;
  Time since;

  bool operator==(const SeedReaction&) const = default;
};

class SeedLife {
 public:
  // `world` is alive and must outlive it.
  explicit SeedLife(const SeedWorld& world);

  // Comments on a post of the world, replies to them and reposts of it, each no earlier than what
  // it is about, within a day, and before the end; a reply comes after what it answers. Nothing of
  // a post that is not among the newest quarter, or not for everybody.
  void each_answer(const SourcePost& post, const std::function<void(SourcePost&&)>& take) const;
  // Adds the reactions to it, one of each user at most.
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
  // So many different ones, fewer if there are no more or the author would be among them.
  [[nodiscard]] static std::vector<std::uint32_t> some_of(const Crowd& crowd, std::uint64_t count,
                                                          SeedRandom& random);
  [[nodiscard]] Time time_after(const SourcePost& post, SeedRandom& random) const;
  // Ascending.
  [[nodiscard]] std::vector<Time> times_after(const SourcePost& post, std::size_t count,
                                              SeedRandom& random) const;
  // A post of `user` that is the `n`-th answer to `post`, without what it says.
  [[nodiscard]] SourcePost answer(const SourcePost& post, std::uint64_t n, std::uint32_t user,
                                  Time time) const;

  const SeedWorld& world_;
};

}  // namespace chirp::load
