// Unneeded rows in the spare tables of the pairs (schema.h): those that a bulk load replaced, or
// those of an abandoned build. The state's mark `stale` is set until they are gone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// The number of rows in the first step through a large table.
inline constexpr std::size_t kSpareRowsFirst = 4'096;

// Counts the rows in all spare tables and in kRebuilt.
[[nodiscard]] std::uint64_t spare_rows(const Txn& txn);

// Empties a table, or erases `rows` rows from the end of a large one, because freeing many pages
// takes long. Returns true if all are empty.
bool empty_some(WriteTxn& txn, std::size_t rows);

}  // namespace chirp::lmdb
