// Servers of PostgreSQL with Citus of the test's own: a coordinator and three workers, on loopback.
// No package of Debian has Citus, so CHIRP_CITUS names the folder of the server's programs; what
// needs it is skipped where that is not set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/postgres_server.h"

namespace chirp::test {

// Says once what is skipped.
[[nodiscard]] bool has_citus();

class CitusServers {
 public:
  CitusServers();

  [[nodiscard]] PostgresServer& coordinator() { return *coordinator_; }
  [[nodiscard]] std::vector<std::unique_ptr<PostgresServer>>& workers() { return workers_; }
  // A database on all of them whose extension knows the workers. The coordinator's address.
  [[nodiscard]] std::string make_database(const std::string& name);

 private:
  std::unique_ptr<PostgresServer> coordinator_;
  std::vector<std::unique_ptr<PostgresServer>> workers_;
};

// Those that all of a process share.
[[nodiscard]] CitusServers& shared_citus();
// A fresh store in them: its address.
[[nodiscard]] std::string fresh_on_citus();

}  // namespace chirp::test
