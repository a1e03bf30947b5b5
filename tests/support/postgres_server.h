// Servers of PostgreSQL of the test's own: in a temporary folder, on a Unix socket alone, as
// another user where the test is root's. They end with the test.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

// Whether PostgreSQL's programs are installed. Where they are not, what needs them is skipped,
// which is said once.
[[nodiscard]] bool has_postgres();

class PostgresServer {
 public:
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // The address of a database in it, such as `postgres`.
  [[nodiscard]] std::string url(const std::string& database) const;
  // From now on it lets this role in with a password alone. It is started anew.
  void ask_password_of(const std::string& role);
  // Ends it at once, as loss of power would; what it had acknowledged is on the disk.
  void stop_at_once();
  // Waits until it answers. Its log is a file below its folder: nobody reads what it says.
  void start();

 private:
  TempFolder folder_;
  std::unique_ptr<Background> server_;
};

// The one that all databases of a process are in.
[[nodiscard]] PostgresServer& shared_postgres();

// A fresh database in the server that all of a process share, gone at the end.
class PostgresDatabase {
 public:
  // With nothing in it.
  PostgresDatabase();
  // With the tables of chirp.
  // `machine` is the number in the live ids, the same for all of a process.
  explicit PostgresDatabase(std::uint32_t machine);
  ~PostgresDatabase();
  PostgresDatabase(const PostgresDatabase&) = delete;
  PostgresDatabase& operator=(const PostgresDatabase&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }
  // Another one with all that is in this, to which nobody must be connected.
  [[nodiscard]] std::unique_ptr<PostgresDatabase> copy() const;

 private:
  explicit PostgresDatabase(const std::string& model);

  std::string name_;
  std::string url_;
};

}  // namespace chirp::test
