// Entries that are shown, folded by original into the items of a page.
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
  // `direction` is that in which entries come.
  Folding(UserNumber viewer, Direction direction, std::uint32_t limit);

  // Takes the entry in, and says which item it made or joined; null, and the page is full, if the
  // items are as many as the limit: then the entry tells that there is more. The item is where it
  // is until the next entry comes.
  FeedItem* add(Shown shown);

  // Items that are still to be made; 0 of a page that needs an entry to tell whether there is more.
  [[nodiscard]] std::uint32_t missing() const {
    return limit_ - static_cast<std::uint32_t>(items_.size());
  }
  // The walk has ended: so many sources were read for it in all.
  void end(std::uint64_t sources) { cost_.sources = sources; }

  // ---- afterwards
  // Newest first.
  [[nodiscard]] std::vector<FeedItem> items() &&;
  // Whether an entry that would be shown is left.
  [[nodiscard]] bool more() const { return more_; }
  // The first and the last entry consumed, in the direction of the walk; empty if there was none.
  [[nodiscard]] std::optional<PostId> first() const { return first_; }
  [[nodiscard]] std::optional<PostId> last() const { return last_; }
  // What it took, as far as the viewer may know: what is hidden from them, and what was read ahead,
  // is left out, or the cost would tell of it.
  [[nodiscard]] ReadCost cost() const { return cost_; }

 private:
  [[nodiscard]] FeedItem& item_of(Shown& shown);

  UserNumber viewer_;
  Direction direction_;
  std::uint32_t limit_;
  std::vector<FeedItem> items_;  // in the order in which they were made
  std::optional<PostId> first_;
  std::optional<PostId> last_;
  ReadCost cost_;
  bool more_ = false;
};

// What was folded, as the page that was asked for: items, cursors, cost.
[[nodiscard]] Page page_of(Folding folding, const PageRequest& request);

}  // namespace chirp::feed
