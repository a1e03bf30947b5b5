// Rewrites inserts of rows given as arrays into the form that is fastest on Citus.
//
// Citus runs `insert … select … from unnest(…)` as a copy between servers, which holds the shards
// of all buckets and needs a two-phase commit. Rows in a VALUES list go straight to the shard of
// their bucket. One database is fastest with arrays, so statements are written with them. An
// example with two rows:
//
//   insert into t (/*b, */id, born) select /*bucket, */x.k0, $1::int8 from unnest($2::int8[]) x(k0)
//   insert into t (/*b, */id, born) values (/*bucket, */$2::int8, $1::int8),
//                                          (/*bucket, */$3::int8, $1::int8)
#pragma once

#include <vector>

#include "store/postgres/rows/writes.h"

namespace chirp::postgres {

// The most rows in a statement. Row counts are powers of two, so there are few different texts,
// each of which every connection prepares once.
inline constexpr std::size_t kValuesMost = 64;

// Returns the same writes in order, with inserts from arrays turned into VALUES lists. Throws
// Error{kInternal} for an insert that does not have the form above.
[[nodiscard]] std::vector<Write> rows_as_values(const std::vector<Write>& writes);

}  // namespace chirp::postgres
