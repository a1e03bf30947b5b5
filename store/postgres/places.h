// How a store's rows are spread over servers: the layouts, and which server decides the places of
// buckets.
//
//   one    one database, which may have streaming copies
//   nodes  home and plain servers, each with some of the buckets, as home says: the protocol of
//          several servers where it can be tried without Citus
//   citus  buckets are shards that Citus places and moves; its coordinator is home
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "store/postgres/connections.h"
#include "store/postgres/placing.h"
#include "store/postgres/schema.h"

namespace chirp::postgres {

inline constexpr std::string_view kOne = "one";
inline constexpr std::string_view kNodes = "nodes";
inline constexpr std::string_view kCitus = "citus";

struct Layout {
  Placing placing{};
  // For each group, from 1 on, the value of its rows in the column `b`; empty if there is none.
  std::vector<std::int32_t> columns{};
  // For each group, from 1 on, the address of its server; empty if home must be asked first.
  std::vector<Address> places{};
  // The query that asks home where the groups are now, and the function that reads its result.
  std::string ask_places{};
  std::function<std::vector<Address>(const Result& answer)> places_in{};
  // Whether home sets restore points of the others along with its own.
  bool marks_all = false;
  // The first statements on each connection to these servers, if any.
  Connections::Beginning beginning{};
};

// Returns the layout with this name, as home defines it.
[[nodiscard]] Layout layout_of(Connections& home, std::string_view name);

// Makes a store of the layout `citus`, in a database whose extension knows its workers. False if
// there are tables of chirp already. Throws what init() throws, Error{kInvalidArgument} for a
// database without Citus, {kVersion} for one that is too old, {kConflict} for one without workers.
bool init_citus(Connection& coordinator, const Identity& identity, std::uint32_t buckets);

// Makes the tables that a store of an older format lacks, wherever they belong. Harmless when run
// twice.
void add_tables(Connection& home);

// How many buckets, and whether rows say theirs, as they do where Citus moves them.
struct Buckets {
  std::uint32_t count = kBucketsUsual;
  bool in_rows = false;
};
// Makes a store of the layout `nodes` on empty databases: home, and the others by address. Safe to
// repeat. Throws what init() throws.
void init_nodes(const std::string& home, const std::vector<std::string>& nodes,
                const Identity& identity, const Buckets& buckets);

}  // namespace chirp::postgres
