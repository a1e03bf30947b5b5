// Loads the ties of one account: the users it follows, its followers, the users it has blocked or
// muted, and the posts it likes.
//
// Missing users are created, as by a graph. A follow that a block forbids is skipped, and a block
// ends follows, as usual. Reposts of a follow can be switched off, also of an existing follow;
// nothing switches them on. Likes wait until finish(), so that the posts of the same archive exist.
// Batches are stored whole. Memory is bounded except for the likes, some ten bytes each. Not
// thread-safe.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/load/people.h"
#include "core/load/source.h"
#include "core/load/tally.h"
#include "core/load/turns.h"
#include "core/pace.h"
#include "core/ports/changes.h"
#include "core/ports/loads.h"

namespace chirp::load {

class TieLoader {
 public:
  TieLoader(Storage& storage, UserDirectory& directory, const Clock& clock, Pause pause,
            UserNumber account);

  // `reposts` only counts for kFollows.
  void add(Tie tie, const SourceKey& other, Reposts reposts = Reposts::kOn);
  void like(const SourceKey& post);

  // Stores what is gathered, and the likes of existing posts.
  void finish();
  // Drops what is gathered; whole batches before it are stored.
  void abandon();

  // From any thread.
  [[nodiscard]] Counts counts() const { return tally_.counts(); }

 private:
  struct Gathered {
    Tie tie;
    Slot other;
    Reposts reposts;
  };
  struct Follows {
    std::vector<LoadedEdge> edges;
    std::vector<Change> switches;  // of reposts, once the edges are there
  };

  void close_batch();
  std::vector<Outcome> write(std::span<const Change> changes);
  void store_follows(std::span<const LoadedEdge> edges);
  void store_relations(std::span<const Gathered> batch);
  void store_likes();
  [[nodiscard]] Follows follows_in(std::span<const Gathered> batch);

  Storage& storage_;
  const Clock& clock_;
  UserNumber account_;
  Tally tally_;
  Turns turns_;
  People people_;
  Pace pace_;
  std::vector<Gathered> gathered_;
  std::vector<SourceId> likes_;
};

}  // namespace chirp::load
