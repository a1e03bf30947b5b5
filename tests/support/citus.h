// PostgreSQL servers with Citus for a test: a coordinator and three workers, on loopback. Debian
// has no package of Citus, so CHIRP_CITUS names the folder of the server's programs; tests are
// skipped without it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/postgres_server.h"

namespace chirp::test {

// Reports once what is skipped.
[[nodiscard]] bool has_citus();

class CitusServers {
 public:
  CitusServers();

  [[nodiscard]] PostgresServer& coordinator() { return *coordinator_; }
  [[nodiscard]] std::vector<std::unique_ptr<PostgresServer>>& workers() { return workers_; }
  // Makes a database of this role on all servers, whose extension knows the workers. Returns the
  // coordinator's address, for that role.
  [[nodiscard]] std::string make_database(const std::string& name,
                                          const std::string& owner = "chirp");
  void drop_database(const std::string& name);

 private:
  std::unique_ptr<PostgresServer> coordinator_;
  std::vector<std::unique_ptr<PostgresServer>> workers_;
};

// Shared by all tests of a process.
[[nodiscard]] CitusServers& shared_citus();
// A new store on these servers, dropped at the end: each database has a Citus process of its own.
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
