// The one virtual table module of SQLite, over the descriptions of tables (store/query/table.h).
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

// What all tables of a connection have in common.
struct Shared {
  Shared(const Snapshot& snapshot, const UserRows& users, Deadline until)
      : sources(snapshot, users), deadline(until), rows(snapshot.table_rows()) {}

  Sources sources;
  Deadline deadline;
  std::map<std::string, std::uint64_t> rows;  // that tables have, about
  std::uint64_t read = 0;                     // rows that were read for queries
  std::exception_ptr failed;                  // what a table threw: it may not cross SQLite
};

// Makes `table` one of the connection's, without any statement. Both live as long as that does.
void add_table(sqlite3* connection, const Table& table, Shared& shared);

}  // namespace chirp::query
