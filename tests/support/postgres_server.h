// Servers of PostgreSQL of the test's own: in a temporary folder, on a Unix socket alone, as
// another user where the test is root's. They end with the test.
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

// Whether PostgreSQL's programs are installed. Where they are not, what needs them is skipped,
// which is said once.
[[nodiscard]] bool has_postgres();

// A port of an address that nobody is given who asks for any; a server that sets SO_REUSEADDR may
// listen at it.
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
  // What it is started with beside the usual, such as "recovery_min_apply_delay=1h".
  using Settings = std::vector<std::string>;

  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // One with the databases of postgres_models.h.
  [[nodiscard]] static std::unique_ptr<PostgresServer> with_models(const Settings& settings = {});
  // One that may have copies.
  [[nodiscard]] static std::unique_ptr<PostgresServer> streaming();
  // One of whose databases Citus may be made an extension, by the programs in this folder, at a
  // port of loopback.
  [[nodiscard]] static std::unique_ptr<PostgresServer> with_citus(
      const std::filesystem::path& programs_of_it);
  // Of one that is at a port.
  [[nodiscard]] std::uint16_t port() const { return port_->number(); }
  // A copy of it, which replays what it does. It is up when this returns.
  [[nodiscard]] std::unique_ptr<PostgresServer> copy(const Settings& settings = {}) const;
  // Of a copy: from now on it takes changes. Waits until it does.
  void promote();

  // The folder of its socket, which stands for a host.
  [[nodiscard]] std::string host() const { return (folder_ / "socket").string(); }
  // The address of a database in it, such as `postgres`.
  [[nodiscard]] std::string url(const std::string& database) const;
  // From now on it lets this role in with a password alone. It is started anew.
  void ask_password_of(const std::string& role);
  // From now on it is also at a port of this address of the machine, for who connects from there,
  // with TLS by this certificate and key (PEM) where that is asked for. It is started anew.
  void listen(const std::string& address, const std::string& certificate, const std::string& key);
  // There, with more options behind the `?`.
  [[nodiscard]] std::string url_at(const std::string& address, const std::string& database,
                                   const std::string& options) const;
  // Ends it at once, as loss of power would; what it had acknowledged is on the disk.
  void stop_at_once();
  // Waits until it answers. Its log is a file below its folder: nobody reads what it says.
  void start();

 private:
  explicit PostgresServer(Settings settings) : settings_(std::move(settings)) {}
  // False if it had to be killed, since nothing moved any more.
  [[nodiscard]] bool end(int signal);
  void begin(const std::function<void(const std::filesystem::path& data)>& make_data);

  TempFolder folder_;
  std::filesystem::path programs_;    // in the place of the usual ones
  std::optional<ReservedPort> port_;  // in the place of the usual one, which names the socket
  Settings settings_;
  std::unique_ptr<Background> server_;
};

// The address of a database that is on all of these.
[[nodiscard]] std::string url_of(const std::vector<const PostgresServer*>& servers,
                                 const std::string& database);
// The address of a database at the folder of a socket, or at several with commas between them.
[[nodiscard]] std::string url_at_host(const std::string& host, const std::string& database);
// The address of a database in the server that all databases of this process are in: the one of a
// whole run of ctest (postgres_run.h), or its own.
[[nodiscard]] std::string shared_postgres_url(const std::string& database);
// Its own from the start, for a test that stops the server or counts what is in it. Throws if a
// database of this process is in another.
PostgresServer& own_postgres();

// A fresh database in the server that all of a process share, gone at the end.
class PostgresDatabase {
 public:
  // With nothing in it.
  PostgresDatabase();
  // With the tables of chirp. `machine` is the number in the live ids.
  explicit PostgresDatabase(std::uint32_t machine);
  ~PostgresDatabase();
  PostgresDatabase(const PostgresDatabase&) = delete;
  PostgresDatabase& operator=(const PostgresDatabase&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }
  // With all that is in another of the same server, to which nobody must be connected.
  [[nodiscard]] static std::unique_ptr<PostgresDatabase> like(const std::string& model);
  // Another one with all that is in this, to which nobody must be connected.
  [[nodiscard]] std::unique_ptr<PostgresDatabase> copy() const;

 private:
  explicit PostgresDatabase(const std::string& model);

  std::string name_;
  std::string url_;
};

}  // namespace chirp::test
