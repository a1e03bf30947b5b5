// Ids of loaded posts and comments.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/ports/row_reader.h"
#include "core/ports/store_state.h"

namespace chirp::rules {

// Assigns ids: machine 1, the time of writing, the next free sequence. No loaded id has a
// millisecond above that of the last live id, which is raised if necessary.
class LoadedIds {
 public:
  // Assigns ids that are free in `rows`. May raise the last live id of `state`; live ids use
  // `machine`. `last` is the latest time of writing in the batch.
  LoadedIds(const RowReader& rows, StoreState& state, std::uint32_t machine, Time last)
      : rows_(rows), state_(state), machine_(machine), end_(snowflake::ticks_of(last)) {}

  // Times must ascend. Returns `wished` unless it is 0 or taken; otherwise the next id.
  std::uint64_t next(Time written, std::uint64_t wished = 0);

 private:
  // The highest taken loaded id of a millisecond, or 0.
  [[nodiscard]] std::uint64_t taken_in(std::uint64_t ticks) const;
  [[nodiscard]] std::uint64_t granted_in(std::uint64_t ticks) const;
  [[nodiscard]] bool is_taken(std::uint64_t id) const;
  // Whether all ids of the millisecond are known to be free from one read for the whole batch.
  // Loads mostly come in the order of time, after all existing ids.
  [[nodiscard]] bool is_bare(std::uint64_t ticks) const;
  void raise_floor(std::uint64_t ticks);

  const RowReader& rows_;
  StoreState& state_;
  std::uint32_t machine_;
  std::uint64_t end_;                  // the one read covered milliseconds up to this one
  std::optional<std::uint64_t> bare_;  // all milliseconds from here to end_ are free
  std::uint64_t last_ = 0;             // the highest of its millisecond
  // Assigned, but perhaps not stored yet: wished ids, and the others in ascending order.
  std::set<std::uint64_t> granted_;
  std::vector<std::uint64_t> given_;
};

}  // namespace chirp::rules
