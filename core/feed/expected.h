// A feed straight from its definition, to hold against the engine's: every log of everybody
// followed is read on its own, nothing stored about the feed is used. Who is removed has none. The
// rules are written anew here, entry by entry, so that a mistake in core/feed/rules.h shows.
//
// Of bounded memory however long the feed: of each log a few entries are at hand.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "core/ports/snapshot.h"

namespace chirp::feed {

struct ExpectedEntry {
  Entry entry;
  PostId original;             // of a repost; else the entry itself
  UserNumber original_author;  // likewise
  bool shown = true;           // false: by somebody followed, and there, but a rule hides it
};

class ExpectedFeed {
 public:
  // Of the entries within `bounds`.
  ExpectedFeed(const Snapshot& snapshot, UserNumber viewer, Direction direction,
               const IdRange& bounds = {});

  // The next entry that is shown; null at the end of the feed. Stays until popped.
  [[nodiscard]] const ExpectedEntry* head();
  // The next one, shown or hidden.
  [[nodiscard]] const ExpectedEntry* any_head();
  void pop() { ++position_; }
  // The viewer and those followed, less who is removed; ascending.
  [[nodiscard]] const std::vector<UserNumber>& authors() const { return authors_; }

 private:
  // One author's, read a piece at a time.
  struct Log {
    UserNumber author;
    std::vector<Entry> piece;
    std::size_t position = 0;
    IdRange rest;  // what has yet to be read
    [[nodiscard]] const Entry& head() const { return piece[position]; }
  };

  // Reads on where a piece is used up; false at the end of the log.
  bool fill(Log& log) const;
  // The nearest entry of all logs; there is one.
  Entry take();
  void next_window();
  [[nodiscard]] bool closer(const Entry& a, const Entry& b) const;
  [[nodiscard]] bool shows(const Post& post);
  [[nodiscard]] bool hides(UserNumber author);

  const Snapshot& snapshot_;
  UserNumber viewer_;
  Direction direction_;
  std::map<UserNumber, bool> hidden_;  // from whom the viewer is kept, as far as asked
  std::vector<UserNumber> authors_;
  std::vector<Log> logs_;              // a heap, the one with the nearest entry first
  std::vector<ExpectedEntry> window_;  // the next entries whose posts are there
  std::size_t position_ = 0;
};

}  // namespace chirp::feed
