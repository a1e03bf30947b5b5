// Making items out of a walk: its entries that are shown, folded by original.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/feed/folding.h"
#include "core/feed/shown.h"

namespace chirp::feed {

// Everything handed in must outlive it.
class Collector {
 public:
  // `direction` is the walk's.
  Collector(const Snapshot& snapshot, UserNumber viewer, const Rules& rules, Authors& authors,
            Candidates& walk, Direction direction, std::uint32_t limit)
      : shown_(snapshot, rules, authors, walk), folding_(viewer, direction, limit) {}

  // Consumes entries until one makes the last of `limit` items, and looks whether another is left.
  void run();

  // ---- afterwards: see Folding
  [[nodiscard]] std::vector<FeedItem> items() && { return std::move(folding_).items(); }
  [[nodiscard]] Folding folding() && { return std::move(folding_); }
  [[nodiscard]] ReadCost cost() const { return folding_.cost(); }

 private:
  ShownEntries shown_;
  Folding folding_;
};

}  // namespace chirp::feed
