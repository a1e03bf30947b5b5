// The SQLite module for all virtual tables, driven by their descriptions (store/query/table.h).
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <string>

#include "store/query/deadline.h"
#include "store/query/sources.h"
#include "store/query/table.h"

struct sqlite3;

namespace chirp::query {

// Shared by all tables of a connection.
struct QueryContext {
  QueryContext(const Snapshot& snapshot, const UserRows& users, QueryDeadline until)
      : sources(snapshot, users), deadline(until), rows(snapshot.table_rows()) {}

  Sources sources;
  QueryDeadline deadline;
  std::map<std::string, std::uint64_t> rows;  // approximate number by table
  std::uint64_t read = 0;                     // rows read by queries
  std::exception_ptr failed;                  // thrown by a table; may not cross SQLite
};

// Adds `table` to the connection, without a statement. Both arguments must outlive the connection.
void add_table(sqlite3* connection, const QueryTable& table, QueryContext& shared);

}  // namespace chirp::query
