// Limits the edges in a load's transaction, so that it copies few pages.
//
// A page that is written to is copied and kept in memory until the commit. So pages decide a
// transaction's memory, and mostly its time. An edge writes to four rows: a neighbour and a counter
// on each side. Rows of one table have similar sizes, so the page of a user's row can be estimated
// from the user's number. Growth is not predicted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ports/storage.h"
#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// Returns the number of leading edges whose rows are on at most `pages` of the tables' current
// pages; at least one, if there are edges.
[[nodiscard]] std::size_t edges_within(const Txn& txn, std::span<const LoadedEdge> edges,
                                       std::size_t pages);

// Estimates the pages written to store these edges in this order, `at_once` per transaction, if
// each direction grows by `growth` pages.
[[nodiscard]] std::uint64_t pages_written(const Txn& txn, std::span<const LoadedEdge> edges,
                                          std::size_t at_once, std::uint64_t growth);

}  // namespace chirp::lmdb
