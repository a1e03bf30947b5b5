// How one reader stands to others: as much of it as is kept in memory.
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/relation.h"
#include "core/ports/snapshot.h"
#include "core/ports/tables.h"

namespace chirp::hot {

class Bonds {
 public:
  // As in the snapshot's state, which may say that nobody has set anything about anybody.
  Bonds(const Snapshot& snapshot, const StoreState& state, UserNumber reader);
  // False if there are more than are kept: then nothing can be said.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] ViewerRelation with(UserNumber other) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] bool has_set(Relation relation, UserNumber other) const;

  UserNumber reader_;
  std::vector<tables::Relations::Key> set_;  // what the reader has set; ascending
  std::vector<UserNumber> blocked_by_;       // ascending
  bool complete_ = true;
};

}  // namespace chirp::hot
