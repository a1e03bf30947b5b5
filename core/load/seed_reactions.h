// Stores the reactions of a made-up world to posts that are there, in batches of a transaction
// each. Those that are there count as duplicates, and those of users or to posts that are not there
// (any more) as missing.
#pragma once

#include <cstddef>
#include <span>

#include "core/load/seed_life.h"
#include "core/load/tally.h"
#include "core/load/turns.h"
#include "core/pace.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::load {

class SeedReactions {
 public:
  SeedReactions(Storage& storage, const Clock& clock, Turns& turns, Tally& tally);

  // Best given some thousands at once: users and posts are looked up for all of them together.
  void store(std::span<const SeedReaction> reactions);

 private:
  Storage& storage_;
  const Clock& clock_;
  Turns& turns_;
  Tally& tally_;
  Pace pace_;
};

}  // namespace chirp::load
