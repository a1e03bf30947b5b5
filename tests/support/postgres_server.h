// PostgreSQL servers for tests: in a temporary folder, on a Unix socket only, as another user if
// the test runs as root. They end with the test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {

// Whether PostgreSQL's programs are installed. If not, tests are skipped, which is reported once.
[[nodiscard]] bool has_postgres();

// A port that the system gives to no one else; a server that sets SO_REUSEADDR can listen on it.
class ReservedPort {
 public:
  explicit ReservedPort(const std::string& address);
  ~ReservedPort();
  ReservedPort(const ReservedPort&) = delete;
  ReservedPort& operator=(const ReservedPort&) = delete;
  [[nodiscard]] std::uint16_t number() const { return number_; }

 private:
  int socket_;
  std::uint16_t number_ = 0;
};

class PostgresServer {
 public:
  // Additional settings at the start, such as "recovery_min_apply_delay=1h".
  using Settings = std::vector<std::string>;

  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // A server with the databases of postgres_models.h.
  [[nodiscard]] static std::unique_ptr<PostgresServer> with_models(const Settings& settings = {});
  // A server that can have copies.
  [[nodiscard]] static std::unique_ptr<PostgresServer> streaming();
  // A server whose databases can use the extension Citus, from the programs in this folder, on a
  // loopback port.
  [[nodiscard]] static std::unique_ptr<PostgresServer> with_citus(
      const std::filesystem::path& programs_of_it);
  // For a server with a port.
  [[nodiscard]] std::uint16_t port() const { return port_->number(); }
  // A streaming copy of it, running on return.
  [[nodiscard]] std::unique_ptr<PostgresServer> copy(const Settings& settings = {}) const;
  // Makes a copy accept writes. Waits until it does.
  void promote();

  // The folder of its socket, usable as a host.
  [[nodiscard]] std::string host() const { return (folder_ / "socket").string(); }
  // The address of a database in it, such as `postgres`.
  [[nodiscard]] std::string url(const std::string& database) const;
  // Requires a password of this role from now on. Restarts the server.
  void ask_password_of(const std::string& role);
  // Also listens on a port of this address of the machine, with TLS by this certificate and key
  // (PEM) on request. Restarts the server.
  void listen(const std::string& address, const std::string& certificate, const std::string& key);
  // The address of a database there, with more options after the `?`.
  [[nodiscard]] std::string url_at(const std::string& address, const std::string& database,
                                   const std::string& options) const;
  // Ends it at once, as a power loss would; acknowledged data are on the disk.
  void stop_at_once();
  // Waits until it answers. Its log goes to a file in its folder, so that its output never blocks.
  void start();

 private:
  explicit PostgresServer(Settings settings) : settings_(std::move(settings)) {}
  // False if it had to be killed, because nothing moved any more.
  [[nodiscard]] bool end(int signal);
  void begin(const std::function<void(const std::filesystem::path& data)>& make_data);

  TempFolder folder_;
  std::filesystem::path programs_;    // replaces the usual ones
  std::optional<ReservedPort> port_;  // replaces the usual one, which names the socket
  Settings settings_;
  std::unique_ptr<Background> server_;
};

// The address of a database that is on all of these servers.
[[nodiscard]] std::string url_of(const std::vector<const PostgresServer*>& servers,
                                 const std::string& database);
// The address of a database on a host, or on several, separated by commas; a socket's folder is a
// host.
[[nodiscard]] std::string url_at_host(const std::string& host, const std::string& database);
// The address of a database on the server for all databases of this process: that of the ctest run
// (postgres_run.h), or its own.
[[nodiscard]] std::string shared_postgres_url(const std::string& database);
// A server of its own from the start, for a test that stops the server or counts its contents.
// Throws if this process has a database on another one.
PostgresServer& own_postgres();

// A new database on the server shared by all tests of a process, dropped at the end.
class PostgresDatabase {
 public:
  // An empty database.
  PostgresDatabase();
  // With chirp's tables. `machine` is the number in the live ids.
  explicit PostgresDatabase(std::uint32_t machine);
  ~PostgresDatabase();
  PostgresDatabase(const PostgresDatabase&) = delete;
  PostgresDatabase& operator=(const PostgresDatabase&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }
  // A copy of another database on the same server, which must have no connections.
  [[nodiscard]] static std::unique_ptr<PostgresDatabase> like(const std::string& model);
  // A copy of this database, which must have no connections.
  [[nodiscard]] std::unique_ptr<PostgresDatabase> copy() const;

 private:
  explicit PostgresDatabase(const std::string& model);

  std::string name_;
  std::string url_;
};

}  // namespace chirp::test
