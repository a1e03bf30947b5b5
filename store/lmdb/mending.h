// Repairs rows in steps, each a short transaction, so that other writers need not wait for the
// whole repair.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/lmdb/indexes.h"

namespace chirp::lmdb {

// Rows or edges per step; few, because repaired rows can be scattered over many pages.
inline constexpr std::size_t kMendedRows = 250;

// The result of a step, and the last key it reached; empty at the end of the table.
struct Mended {
  std::uint64_t rows = 0;
  std::optional<std::string> reached;
};
// Checks rows above a key (from the first if it is empty) and repairs the rows that they need.
// Steps are independent: others may write between them.
using MendingStep = std::function<Mended(Batch&, const std::string& after)>;

using Look = std::function<void(const Txn&, const Item&, WantedRows&)>;
[[nodiscard]] MendingStep mend_by(Table table, Look look);

// Returns the first row above `after`.
[[nodiscard]] std::optional<Item> first_above(Cursor& cursor, const std::string& after);
// Visits rows above `after` until their weights sum to kMendedRows; `visit` returns a row's weight.
// Returns the last key visited; empty at the end of the table.
[[nodiscard]] std::optional<std::string> visit_some(
    const Txn& txn, Table table, const std::string& after,
    const std::function<std::size_t(const Item&)>& visit);

}  // namespace chirp::lmdb
