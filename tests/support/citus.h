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
  // A database of this role on all of them, whose extension knows the workers. The coordinator's
  // address, for that role.
  [[nodiscard]] std::string make_database(const std::string& name,
                                          const std::string& owner = "chirp");
  void drop_database(const std::string& name);

 private:
  std::unique_ptr<PostgresServer> coordinator_;
  std::vector<std::unique_ptr<PostgresServer>> workers_;
};

// Those that all of a process share.
[[nodiscard]] CitusServers& shared_citus();
// A fresh store in them, gone at the end: each database has a process of Citus to itself.
class CitusDatabase {
 public:
  CitusDatabase();
  ~CitusDatabase();
  CitusDatabase(const CitusDatabase&) = delete;
  CitusDatabase& operator=(const CitusDatabase&) = delete;
  [[nodiscard]] const std::string& url() const { return url_; }

 private:
  std::string name_;
  std::string url_;
};

}  // namespace chirp::test
