// Folds shown entries by original into the items of a page.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/feed/page.h"
#include "core/feed/shown.h"
#include "core/ports/store_state.h"

namespace chirp::feed {

class Folding {
 public:
  // `direction` is the order in which entries come.
  Folding(UserNumber viewer, Direction direction, std::uint32_t limit);

  // Adds the entry. Returns the item that it made or joined, valid until the next call. Returns
  // null if it would exceed the limit: then the page is full, and the entry shows that there is
  // more.
  FeedItem* add(Shown shown);

  // Items that can still be made; 0 if only the check for more is left.
  [[nodiscard]] std::uint32_t missing() const {
    return limit_ - static_cast<std::uint32_t>(items_.size());
  }
  // Ends the walk, with the total number of sources read.
  void end(std::uint64_t sources) { cost_.sources = sources; }

  // ---- results
  // Newest first.
  [[nodiscard]] std::vector<FeedItem> items() &&;
  // Whether another entry would be shown.
  [[nodiscard]] bool more() const { return more_; }
  // The first and the last entry consumed, in the direction of the walk; empty before the first.
  [[nodiscard]] std::optional<PostId> first() const { return first_; }
  [[nodiscard]] std::optional<PostId> last() const { return last_; }
  // The cost that the viewer may know. It leaves out hidden entries and entries read ahead, because
  // the cost would reveal them.
  [[nodiscard]] ReadCost cost() const { return cost_; }

 private:
  [[nodiscard]] FeedItem& item_of(Shown& shown);

  UserNumber viewer_;
  Direction direction_;
  std::uint32_t limit_;
  std::vector<FeedItem> items_;  // in the order of creation
  std::optional<PostId> first_;
  std::optional<PostId> last_;
  ReadCost cost_;
  bool more_ = false;
};

// Returns the requested page: items, cursors, cost.
[[nodiscard]] Page page_of(Folding folding, const PageRequest& request);

// Turns the entries of a walk into the items of a page: filters them, and folds them by original.
// All arguments must outlive it.
class Collector {
 public:
  // `direction` is that of the walk.
  Collector(FeedRead& read, Candidates& walk, Direction direction, std::uint32_t limit)
      : shown_(read, walk), folding_(read.viewer, direction, limit) {}

  // Consumes entries up to the one that makes the last of `limit` items, and checks for another.
  void run();

  // ---- results: see Folding
  [[nodiscard]] std::vector<FeedItem> items() && { return std::move(folding_).items(); }
  [[nodiscard]] Folding folding() && { return std::move(folding_); }
  [[nodiscard]] ReadCost cost() const { return folding_.cost(); }

 private:
  ShownEntries shown_;
  Folding folding_;
};

}  // namespace chirp::feed
