// Inserts of rows that come in arrays, as Citus takes them best.
//
// Of `insert … select … from unnest(…)` Citus makes a copy from one server to another, which holds
// the shards of all buckets and is committed in two phases. Rows that stand there as values go
// straight into the shard of their bucket. Arrays are what one database takes quickest, so
// statements are written with them; an example, of two rows:
//
//   insert into t (/*b, */id, born) select /*bucket, */x.k0, $1::int8 from unnest($2::int8[]) x(k0)
//   insert into t (/*b, */id, born) values (/*bucket, */$2::int8, $1::int8),
//                                          (/*bucket, */$3::int8, $1::int8)
#pragma once

#include <vector>

#include "store/postgres/writes.h"

namespace chirp::postgres {

// A statement has this many rows at most. It has a power of two of them, so that there are few
// texts, each of which every connection prepares once.
inline constexpr std::size_t kValuesMost = 64;

// The same writes, in their order, with such inserts as inserts of values. Throws Error{kInternal}
// for one whose text is of another form than those above.
[[nodiscard]] std::vector<Write> rows_as_values(const std::vector<Write>& writes);

}  // namespace chirp::postgres
