// How many edges a transaction of a load may take, so that the pages it copies stay few.
//
// A page that is written to is copied and kept in memory until the commit writes it out, so pages
// are what a transaction costs in memory, and mostly in time. An edge writes to four rows: a
// neighbour on either side, and a counter each. Rows of one table are of about one size, so where a
// user's row lies among the pages follows from the user's number. What grows is not foretold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ports/storage.h"
#include "store/lmdb/txn.h"

namespace chirp::lmdb {

// The number of edges, from the front, whose rows lie on at most `pages` pages of the tables as
// they are; at least one, unless there is none.
[[nodiscard]] std::size_t edges_within(const Txn& txn, std::span<const LoadedEdge> edges,
                                       std::size_t pages);

// About how many pages it writes to store these edges in this order, `at_once` of them in each
// transaction, while each direction grows by `growth` pages.
[[nodiscard]] std::uint64_t pages_written(const Txn& txn, std::span<const LoadedEdge> edges,
                                          std::size_t at_once, std::uint64_t growth);

}  // namespace chirp::lmdb
