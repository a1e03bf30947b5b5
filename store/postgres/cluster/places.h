// How a store's rows are distributed over servers: the layouts, and which server decides where
// buckets are.
//
//   one    one database, which may have streaming standbys
//   nodes  home and plain servers, each with some of the buckets, as home says: the protocol of
//          several servers where it can be tried without Citus
//   citus  buckets are shards that Citus places and moves; its coordinator is home
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/cluster/connections.h"
#include "store/postgres/cluster/schema.h"
#include "store/postgres/rows/placing.h"

namespace chirp::postgres {

struct Placement {
  Placing placing{};
  // For each group, from 1 on, the value of column `b` in its rows; empty without that column.
  std::vector<std::int32_t> columns{};
  // For each group, from 1 on, the address of its server; empty if home has to be queried first.
  std::vector<Address> places{};
  // The query that asks home where the groups are now, and the function that reads its result.
  std::string ask_places{};
  std::function<std::vector<Address>(const Result& answer)> places_in{};
  // Whether home creates the restore points of the other servers along with its own.
  bool marks_all = false;
  // The first statements on each connection to these servers, if any.
  Connections::Beginning beginning{};
};

// Returns the layout with this name, as home defines it.
[[nodiscard]] Placement layout_of(Connections& home, std::string_view name);

// Creates a store of the layout `citus`, in a database whose extension knows its workers. Returns
// false if there are tables of chirp already. Throws what init() throws, Error{kInvalidArgument}
// for a database without Citus, {kVersion} for an old version, {kConflict} if there are no workers.
bool init_citus(Connection& coordinator, const Identity& identity, std::uint32_t buckets);

// Creates the placed tables that a store of an older format lacks, on the servers where they
// belong. It adds no tables at home and no columns. Idempotent.
void add_tables(Connection& home);

// The number of buckets, and whether rows have a bucket column, as where Citus moves buckets.
struct Buckets {
  std::uint32_t count = kBucketsUsual;
  bool in_rows = false;
};
// Creates a store of the layout `nodes` on empty databases: home, and the others by address.
// Idempotent. Throws what init() throws.
void init_nodes(const std::string& home, const std::vector<std::string>& nodes,
                const Identity& identity, const Buckets& buckets);

}  // namespace chirp::postgres
