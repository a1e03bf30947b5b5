// Who is at work on a database, and which servers copy it: what PostgreSQL itself says of it.
#pragma once

#include "store/directory_status.h"
#include "store/postgres/connection.h"
#include "store/postgres/schema.h"

namespace chirp::postgres {

// In one round trip. This process is not among those it tells of. What the role may not see is
// left empty (pg_read_all_stats lets it see all).
[[nodiscard]] store::DirectoryStatus status_of(Connection& connection, const Identity& identity);

}  // namespace chirp::postgres
