// Stores the reactions of a generated world to existing posts, in batches of one transaction each.
// Existing reactions count as duplicates, and reactions of missing users or to missing posts as
// missing.
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

  // Fastest with some thousands at once: their users and posts are looked up together.
  void store(std::span<const SeedReaction> reactions);

 private:
  Storage& storage_;
  const Clock& clock_;
  Turns& turns_;
  Tally& tally_;
  Pace pace_;
};

}  // namespace chirp::load
