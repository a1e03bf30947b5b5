// Rows that nobody needs any more, in the spare tables of the pairs (schema.h): those that a bulk
// load has replaced, or those of a build that was given up. The mark `stale` in the state stands
// for them until they are gone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// Rows to begin with in one step through a large table.
inline constexpr std::size_t kSpareRowsFirst = 4'096;

// In all spare tables together, and in kRebuilt.
[[nodiscard]] std::uint64_t spare_rows(const Txn& txn);

// Empties one of them, or erases `rows` rows from the end of a large one: its pages are freed with
// it, which takes long for many. True if none has rows any more.
bool empty_some(WriteTxn& txn, std::size_t rows);

}  // namespace chirp::lmdb
