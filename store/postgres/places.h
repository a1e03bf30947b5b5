// How the rows of a store are spread over servers: the layouts, and who says where a bucket is.
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
  // Of each group, from 1 on, what its rows say in the column `b`; empty where there is none.
  std::vector<std::int32_t> columns{};
  // Of each group, from 1 on, the address of the server that has it; empty where home is asked
  // first.
  std::vector<Address> places{};
  // Asks home where the groups are now, and reads the answer.
  std::string ask_places{};
  std::function<std::vector<Address>(const Result& answer)> places_in{};
  // Whether home sets restore points of the others along with its own.
  bool marks_all = false;
  // What each connection to those begins with, if anything.
  Connections::Beginning beginning{};
};

// As home says it, whose layout is named.
[[nodiscard]] Layout layout_of(Connections& home, std::string_view name);

// Makes a store of the layout `citus`, in a database whose extension knows its workers. False if
// there are tables of chirp already. Throws what init() throws, Error{kInvalidArgument} for a
// database without Citus, {kVersion} for one that is too old, {kConflict} for one without workers.
bool init_citus(Connection& coordinator, const Identity& identity, std::uint32_t buckets);

// How many buckets, and whether rows say theirs, as they do where Citus moves them.
struct Buckets {
  std::uint32_t count = kBucketsUsual;
  bool in_rows = false;
};
// Makes a store of the layout `nodes` on empty databases: home, and the others by their addresses.
// Harmless when run twice. Throws what init() throws.
void init_nodes(const std::string& home, const std::vector<std::string>& nodes,
                const Identity& identity, const Buckets& buckets);

}  // namespace chirp::postgres
