// The processes that use a database, and its standbys, from PostgreSQL's own statistics.
#pragma once

#include "store/directory_status.h"
#include "store/postgres/cluster/schema.h"
#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

// One round trip. Omits this process. Values that the role may not see are empty; pg_read_all_stats
// makes all visible.
[[nodiscard]] store::DirectoryStatus status_of(Connection& connection, const Identity& identity);

}  // namespace chirp::postgres
