// Databases of PostgreSQL for tests, on a server of the tests' own: in a temporary folder, behind a
// Unix socket that nobody else knows, without a sync.
//
// All test processes share the server. The first starts it, the last to end stops it; what one that
// was killed has left is removed by the next start.
#pragma once

#include <string>

#include "store/postgres/connection.h"

namespace chirp::test {

// Says that a test is skipped, and returns true, where PostgreSQL's programs are not installed.
[[nodiscard]] bool lacks_postgres();

// A fresh database with chirp's tables, gone at the end with whoever is connected.
class PostgresDatabase {
 public:
  PostgresDatabase();
  ~PostgresDatabase();
  PostgresDatabase(const PostgresDatabase&) = delete;
  PostgresDatabase& operator=(const PostgresDatabase&) = delete;

  [[nodiscard]] postgres::Address address() const;

 private:
  std::string name_;
};

}  // namespace chirp::test
