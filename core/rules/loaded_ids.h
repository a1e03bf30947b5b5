// Ids of loaded posts and comments.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "core/ports/row_reader.h"
#include "core/ports/store_state.h"

namespace chirp::rules {

// Hands out ids: machine 1, the time of writing, the next free sequence. No loaded id stands in a
// millisecond above the last live one, which goes up if need be.
class LoadedIds {
 public:
  // Ids that are free in `rows`. The last live id of `state` may rise; live ids are those of
  // `machine`. `last` is the latest time of writing in the batch.
  LoadedIds(const RowReader& rows, StoreState& state, std::uint32_t machine, Time last)
      : rows_(rows), state_(state), machine_(machine), end_(snowflake::ticks_of(last)) {}

  // Times in ascending order. `wished`, unless it is 0 or taken; else the next.
  std::uint64_t next(Time written, std::uint64_t wished = 0);

 private:
  // The highest loaded id of a millisecond that is taken, or 0.
  [[nodiscard]] std::uint64_t taken_in(std::uint64_t ticks) const;
  [[nodiscard]] std::uint64_t granted_in(std::uint64_t ticks) const;
  [[nodiscard]] bool is_taken(std::uint64_t id) const;
  // Whether all ids of the millisecond are free, of which one look at the batch as a whole tells:
  // loads come in the order of time as a rule, where nothing is yet.
  [[nodiscard]] bool is_bare(std::uint64_t ticks) const;
  void raise_floor(std::uint64_t ticks);

  const RowReader& rows_;
  StoreState& state_;
  std::uint32_t machine_;
  std::uint64_t end_;                  // milliseconds above it have not been looked at as a whole
  std::optional<std::uint64_t> bare_;  // up to end_, from this millisecond on
  std::uint64_t last_ = 0;             // the highest of its millisecond
  // Handed out and perhaps not stored yet: to those who wished for them, and to others, ascending.
  std::set<std::uint64_t> granted_;
  std::vector<std::uint64_t> given_;
};

}  // namespace chirp::rules
