// A feed computed from its definition, to check the engine's feeds. It reads the log of every
// followed author separately, and uses no stored feed data. Removed users have no entries. The
// rules are written again here, entry by entry, to find mistakes in core/feed/rules.h.
//
// Memory is bounded however long the feed: only a few entries of each log are loaded.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "core/ports/snapshot.h"

namespace chirp::feed {

struct ExpectedEntry {
  Entry entry;
  PostId original;             // for a repost; otherwise the entry itself
  UserNumber original_author;  // for a repost; otherwise the author
  bool shown = true;           // false: the entry exists, but a rule hides it
};

class ExpectedFeed {
 public:
  // Covers the entries within `bounds`.
  ExpectedFeed(const Snapshot& snapshot, UserNumber viewer, Direction direction,
               const IdRange& bounds = {});

  // The next shown entry; null at the end of the feed. Valid until pop().
  [[nodiscard]] const ExpectedEntry* head();
  // The next entry, shown or hidden.
  [[nodiscard]] const ExpectedEntry* any_head();
  void pop() { ++position_; }
  // The viewer and those followed, without removed users; ascending.
  [[nodiscard]] const std::vector<UserNumber>& authors() const { return authors_; }

 private:
  // The log of one author, read in pieces.
  struct Log {
    UserNumber author;
    std::vector<Entry> piece;
    std::size_t position = 0;
    IdRange rest;  // the unread range
    [[nodiscard]] const Entry& head() const { return piece[position]; }
  };

  // Reads the next piece if this one is used up; false at the end of the log.
  bool fill(Log& log) const;
  // Takes the nearest entry of all logs, which must not all be empty.
  Entry take();
  void next_window();
  [[nodiscard]] bool closer(const Entry& a, const Entry& b) const;
  [[nodiscard]] bool shows(const Post& post);
  [[nodiscard]] bool hides(UserNumber author);

  const Snapshot& snapshot_;
  UserNumber viewer_;
  Direction direction_;
  std::map<UserNumber, bool> hidden_;  // whether an author is hidden from the viewer, as looked up
  std::vector<UserNumber> authors_;
  std::vector<Log> logs_;              // a heap by nearest entry
  std::vector<ExpectedEntry> window_;  // the next entries with existing posts
  std::size_t position_ = 0;
};

}  // namespace chirp::feed
