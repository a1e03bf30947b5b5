#include "tests/support/postgres_database.h"

#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <pwd.h>
#include <stdexcept>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/files.h"
#include "store/postgres/schema.h"
#include "tests/support/child.h"
#include "tests/support/directories.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrograms = "/usr/lib/postgresql";
constexpr const char* kSettings =
    "listen_addresses = ''\nfsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"
    "shared_buffers = 32MB\nmax_wal_size = 256MB\nmax_connections = 200\njit = off\n";

// The folder of the programs of the newest version there is; empty if there is none.
fs::path programs() {
  std::vector<fs::path> versions;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(kPrograms, none)) {
    const fs::path folder = entry.path() / "bin";
    if (fs::exists(folder / "initdb") && fs::exists(folder / "pg_ctl")) versions.push_back(folder);
  }
  return versions.empty() ? fs::path() : std::ranges::max(versions);
}

// The server of all test processes of this program.
class Server {
 public:
  Server()
      : folder_(place()), lock_(store::File::open(folder_.string() + ".lock", O_CREAT | O_RDWR)) {
    // Between the two locks the last of the others may stop it.
    do {
      ::flock(lock_.fd(), LOCK_EX);
      if (!runs()) start();
      ::flock(lock_.fd(), LOCK_SH);
    } while (!runs());
  }
  ~Server() {
    // A forked copy of the test has the same lock.
    if (process_ == ::getpid() && ::flock(lock_.fd(), LOCK_EX | LOCK_NB) == 0) stop();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] postgres::Address address_of(const std::string& database) const {
    return {fmt::format("postgresql://postgres@/{}?host={}", database, folder_.string()), ""};
  }
  // Statements outside any transaction, which must not be one to the server.
  void administer(const std::string& statement) const {
    postgres::Connection(address_of("postgres")).script(statement);
  }

 private:
  // One for each program of tests, so that their tables may differ.
  static fs::path place() {
    const TempFolder beside;  // where there is room
    const auto which = std::hash<std::string>{}(fs::read_symlink("/proc/self/exe").string());
    return beside.path().parent_path() / fmt::format("chirp-postgres-{}-{:x}", ::getuid(), which);
  }
  [[nodiscard]] fs::path data() const { return folder_ / "data"; }

  [[nodiscard]] bool runs() const {
    try {
      administer("select 1");
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  // Of PostgreSQL's programs, which refuse to be run by root.
  static void run_program(std::vector<std::string> arguments) {
    if (::getuid() == 0) {
      arguments.insert(arguments.begin(), {"/usr/sbin/runuser", "-u", "postgres", "--"});
    }
    const Ended ended = run({std::move(arguments)});
    if (!ended.ok()) throw std::runtime_error("PostgreSQL for tests: " + to_string(ended));
  }

  void start() const {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    if (const passwd* const owner = ::getpwnam("postgres"); ::getuid() == 0 && owner != nullptr) {
      if (::chown(folder_.c_str(), owner->pw_uid, owner->pw_gid) != 0) {
        throw std::runtime_error("no folder for PostgreSQL");
      }
    }
    run_program({programs() / "initdb", "--pgdata", data(), "--username=postgres", "--auth=trust",
                 "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"});
    std::ofstream(data() / "postgresql.conf", std::ios::app)
        << kSettings << "unix_socket_directories = '" << folder_.string() << "'\n";
    run_program({programs() / "pg_ctl", "start", "--wait", "--silent", "--pgdata", data(), "--log",
                 folder_ / "log"});
    administer("create database made");
    postgres::Connection made(address_of("made"));
    postgres::init(
        made, {postgres::kFormatVersion, std::string(kDirectoryUuid), kDirectoryMachine, "one"});
  }

  void stop() const {
    try {
      run_program(
          {programs() / "pg_ctl", "stop", "--mode=immediate", "--silent", "--pgdata", data()});
      fs::remove_all(folder_);
    } catch (const std::exception&) {
      // The next start removes what is left.
    }
  }

  fs::path folder_;
  pid_t process_ = ::getpid();
  store::File lock_;
};

Server& server() {
  static Server started;
  return started;
}

}  // namespace

bool lacks_postgres() {
  if (!programs().empty()) return false;
  MESSAGE("skipped: postgresql is not installed");
  return true;
}

PostgresDatabase::PostgresDatabase() {
  static std::atomic<int> made{0};
  name_ = fmt::format("test_{}_{}", ::getpid(), ++made);
  server().administer(fmt::format("create database {} template made", name_));
}

PostgresDatabase::~PostgresDatabase() {
  try {
    server().administer(fmt::format("drop database {} with (force)", name_));
  } catch (const Error&) {
    // It goes with the server.
  }
}

postgres::Address PostgresDatabase::address() const { return server().address_of(name_); }

}  // namespace chirp::test
