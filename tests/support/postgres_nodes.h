// A store over several servers of PostgreSQL: home and three nodes, databases of one server shared
// by all tests of a process, dropped at the end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/postgres_server.h"

namespace chirp::test {

class PostgresNodes {
 public:
  // Whether rows store their bucket, as with Citus: each bucket is then queried separately.
  enum class Rows : std::uint8_t { kPlain, kWithBuckets };

  explicit PostgresNodes(Rows rows = Rows::kPlain);

  // The address of home, which is enough to reach all of them.
  [[nodiscard]] const std::string& url() const { return home_->url(); }
  [[nodiscard]] const PostgresDatabase& home() const { return *home_; }
  [[nodiscard]] const std::vector<std::unique_ptr<PostgresDatabase>>& nodes() const {
    return nodes_;
  }

 private:
  std::unique_ptr<PostgresDatabase> home_;
  std::vector<std::unique_ptr<PostgresDatabase>> nodes_;
};

}  // namespace chirp::test
