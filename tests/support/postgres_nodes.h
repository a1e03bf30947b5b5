// A store over several servers of PostgreSQL: home and three more, databases of the one server that
// all of a process share, gone at the end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/postgres_server.h"

namespace chirp::test {

class PostgresNodes {
 public:
  // Whether rows say their bucket, as they do with Citus: each bucket is asked by itself then.
  enum class Rows : std::uint8_t { kPlain, kWithBuckets };

  explicit PostgresNodes(Rows rows = Rows::kPlain);

  // Of home, which stands for all of them.
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
