// What makes a made-up world live: what people answer, repost and like of its posts of the last two
// weeks, and what everybody talks about on the last day. The same for the same options.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/load/seed.h"
#include "core/load/seed_random.h"
#include "core/load/source.h"
#include "core/load/tally.h"
#include "core/load/turns.h"
#include "core/model/reaction.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::load {

// One reaction, in the terms of the load.
struct SeedReaction {
  SourceId user;
  SourceId post;
  ReactionType type = ReactionType::kLike;

  bool operator==(const SeedReaction&) const = default;
};

class SeedLife {
 public:
  // `world` must outlive it.
  explicit SeedLife(const SeedWorld& world);

  // Comments on a post of the world, replies to them and reposts of it, each later than what it
  // is about and before the end; nothing of a post that is old or not for everybody.
  void each_answer(const SourcePost& post, const std::function<void(SourcePost&&)>& take) const;
  // Reactions to it, of each user one.
  void add_reactions(const SourcePost& post, std::vector<SeedReaction>& reactions) const;

 private:
  // People who follow each other, or everybody, who follow the celebrity.
  struct Crowd {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    std::uint32_t author = 0;  // one of them
  };
  [[nodiscard]] bool is_lively(const SourcePost& post) const;
  [[nodiscard]] Crowd crowd_of(const SourcePost& post) const;
  // So many different ones, fewer if the author would be among them.
  [[nodiscard]] static std::vector<std::uint32_t> some_of(const Crowd& crowd, std::uint64_t count,
                                                          SeedRandom& random);
  // Ascending, between the post and the end.
  [[nodiscard]] std::vector<Time> times_after(const SourcePost& post, std::size_t count,
                                              SeedRandom& random) const;
  [[nodiscard]] SourceId next_id(const SourcePost& post, std::uint64_t n) const;

  const SeedWorld& world_;
};

// Stores reactions to posts that are there, in batches of a transaction each. Of users and posts
// that are not there (any more) nothing is stored; they count as missing.
class SeedReactions {
 public:
  SeedReactions(Storage& storage, const Clock& clock, Turns& turns, Tally& tally);

  void add(const SourcePost& post, const SeedLife& life);
  // Stores what is gathered. How many there were since the last time.
  std::uint64_t flush();
  [[nodiscard]] bool is_full() const;

 private:
  Storage& storage_;
  const Clock& clock_;
  Turns& turns_;
  Tally& tally_;
  Pace pace_;
  std::vector<SeedReaction> gathered_;
};

}  // namespace chirp::load
