// A feed straight from its definition, to hold against the engine's: every log of everybody
// followed is read on its own, nothing stored about the feed is used. Who is removed has none.
//
// Slow and simple on purpose, and of bounded memory however long the feed: entries are worked out a
// window at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "core/ports/snapshot.h"

namespace chirp::feed {

class ExpectedFeed {
 public:
  ExpectedFeed(const Snapshot& snapshot, UserNumber viewer, Direction direction);

  // The next entry; null at the end of the feed. Stays until popped.
  [[nodiscard]] const Entry* head();
  void pop() { ++position_; }
  // The viewer and those followed, less who is removed; ascending.
  [[nodiscard]] const std::vector<UserNumber>& authors() const { return authors_; }

 private:
  void next_window();
  [[nodiscard]] bool closer(const Entry& a, const Entry& b) const;

  const Snapshot& snapshot_;
  Direction direction_;
  std::vector<UserNumber> authors_;
  IdRange rest_;  // what has yet to be worked out
  std::vector<Entry> window_;
  std::size_t position_ = 0;
  bool ended_ = false;
};

}  // namespace chirp::feed
