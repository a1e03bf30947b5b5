#include "tests/support/postgres_server.h"

#include <arpa/inet.h>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <netinet/in.h>
#include <pwd.h>
#include <stdexcept>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/postgres/connection/connection.h"
#include "tests/support/data_directories.h"
#include "tests/support/eventually.h"
#include "tests/support/postgres_models.h"
#include "tests/support/postgres_run.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRole = "chirp";
constexpr const char* kModelsFolder = "postgres-models-";

PostgresServer::Settings without_copies() { return {"wal_level=minimal", "max_wal_senders=0"}; }

// The programs of the newest installed version, from 15 on.
fs::path find_programs() {
  for (int version = 30; version >= 15; --version) {
    const fs::path folder = fmt::format("/usr/lib/postgresql/{}/bin", version);
    if (fs::exists(folder / "postgres") && fs::exists(folder / "initdb")) return folder;
  }
  return {};
}

const fs::path& programs() {
  static const fs::path kFolder = find_programs();
  return kFolder;
}

// PostgreSQL refuses root.
const passwd* other_user() {
  if (::geteuid() != 0) return nullptr;
  const passwd* const postgres = ::getpwnam("postgres");
  return postgres != nullptr ? postgres : ::getpwnam("nobody");
}

std::vector<std::string> as_user(std::vector<std::string> command) {
  const passwd* const user = other_user();
  // A server does not outlive the test, however that ends.
  std::vector<std::string> before{"/usr/bin/setpriv", "--pdeathsig", "QUIT"};
  if (user != nullptr) {
    before = {"/usr/bin/setpriv",
              fmt::format("--reuid={}", user->pw_uid),
              fmt::format("--regid={}", user->pw_gid),
              "--clear-groups",
              "--pdeathsig",
              "QUIT"};
  }
  before.insert(before.end(), command.begin(), command.end());
  return before;
}

void must(const Ended& ended) {
  if (!ended.ok()) throw std::runtime_error(to_string(ended));
}

void give_away(const fs::path& folder) {
  const passwd* const user = other_user();
  if (user == nullptr) return;
  const auto give = [&](const fs::path& path) {
    if (::lchown(path.c_str(), user->pw_uid, user->pw_gid) != 0) {
      throw std::runtime_error("no giving away of " + path.string());
    }
  };
  give(folder);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) give(entry.path());
}

// Held by one process at a time.
class FileLock {
 public:
  explicit FileLock(const fs::path& path)
      : file_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)) {
    if (file_ < 0 || ::flock(file_, LOCK_EX) != 0) {
      throw std::runtime_error("no lock: " + path.string());
    }
  }
  ~FileLock() { ::close(file_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

// Copies a data folder that is kept beside the tested program; `make` creates it if it is missing.
void copy_kept(const fs::path& kept, const std::function<void(const fs::path& into)>& make,
               const fs::path& data) {
  const FileLock lock(kept.string() + ".lock");
  if (!fs::exists(kept)) {
    const fs::path half = kept.string() + ".half";
    fs::remove_all(half);
    make(half);
    fs::rename(half, kept);
  }
  copy_folder(kept, data);
  fs::permissions(data, fs::perms::owner_all);
  give_away(data);
}

fs::path beside_program(const std::string& name) {
  return fs::path(CHIRP_BINARY).parent_path() / name;
}

// Making one takes a second, and copying it some hundredths.
void make_cluster(const fs::path& from, const fs::path& data) {
  const auto make = [&](const fs::path& into) {
    const TempFolder folder;
    fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::others_exec);
    const fs::path made = folder / "data";
    fs::create_directory(made);
    give_away(made);
    must(run({as_user({(from / "initdb").string(), "-D", made.string(), "-A", "trust", "-U", kRole,
                       "--locale=C", "-E", "UTF8", "-N", "--wal-segsize=4"})}));
    copy_folder(made, into);
  };
  copy_kept(beside_program(from == programs() ? "postgres-empty" : "postgres-citus-empty"), make,
            data);
}

// Another build of the tests may make other tables.
std::string build_of_tests() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  return fmt::format("{:x}-{:x}", fs::file_size(program),
                     fs::last_write_time(program).time_since_epoch().count());
}

}  // namespace

bool has_postgres() {
  static const bool kThere = [] {
    const bool is_there = !programs().empty();
    if (!is_there) {
      MESSAGE("skipped: postgresql is not installed");
    } else {
      // Programs that tests run accept such a server too.
      ::setenv("CHIRP_UNSAFE_DATABASE", "1", 0);
      // No test depends on how busy the machine is.
      ::setenv("CHIRP_DATABASE_TIMEOUT", "3600", 0);
      MESSAGE("PostgreSQL runs with fsync = off (--unsafe-database)");
    }
    return is_there;
  }();
  return kThere;
}

// ---------------------------------------------------------------- a server

ReservedPort::ReservedPort(const std::string& address)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const int yes = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  socklen_t size = sizeof place;
  auto* const at = reinterpret_cast<sockaddr*>(&place);
  if (::inet_pton(AF_INET, address.c_str(), &place.sin_addr) != 1 ||
      ::bind(socket_, at, size) != 0 || ::getsockname(socket_, at, &size) != 0) {
    ::close(socket_);
    throw std::runtime_error("no port at " + address);
  }
  number_ = ntohs(place.sin_port);
}

ReservedPort::~ReservedPort() { ::close(socket_); }

PostgresServer::PostgresServer() : PostgresServer(without_copies()) {
  begin([](const fs::path& data) { make_cluster(programs(), data); });
}

std::unique_ptr<PostgresServer> PostgresServer::with_models(const Settings& settings) {
  const auto make = [](const fs::path& into) {
    // Those of other builds.
    for (const auto& entry : fs::directory_iterator(into.parent_path())) {
      const bool is_one = entry.path().filename().string().starts_with(kModelsFolder);
      if (is_one && entry.is_directory()) fs::remove_all(entry.path());
    }
    PostgresServer server;
    make_models(server);
    (void)server.end(SIGINT);
    copy_folder(server.folder_ / "data", into);
  };
  std::unique_ptr<PostgresServer> server(new PostgresServer(without_copies()));
  server->settings_.insert(server->settings_.end(), settings.begin(), settings.end());
  server->begin([&](const fs::path& data) {
    copy_kept(beside_program(kModelsFolder + build_of_tests()), make, data);
  });
  return server;
}

// Moves of shards beside writers go by logical replication; the workers ask one another by their
// ports.
std::unique_ptr<PostgresServer> PostgresServer::with_citus(const fs::path& programs_of_it) {
  std::unique_ptr<PostgresServer> server(new PostgresServer(Settings{
      "shared_preload_libraries=citus", "wal_level=logical", "max_wal_senders=20",
      "max_replication_slots=20", "max_worker_processes=32", "max_prepared_transactions=100",
      "max_connections=300", "citus.node_conninfo=sslmode=disable",
      "citus.desired_percent_disk_available_after_move=0", "listen_addresses=127.0.0.1"}));
  server->programs_ = programs_of_it;
  server->port_.emplace("127.0.0.1");
  server->settings_.push_back(fmt::format("port={}", server->port_->number()));
  server->begin([&](const fs::path& data) {
    make_cluster(programs_of_it, data);
    const fs::path rules = data / "pg_hba.conf";
    write_file(rules, "host all all 127.0.0.1/32 trust\n" + read_file(rules));
    give_away(data);
  });
  return server;
}

void PostgresServer::begin(const std::function<void(const fs::path& data)>& make_data) {
  need_database_label();
  fs::permissions(folder_.path(), fs::perms::owner_all | fs::perms::others_exec);
  make_data(folder_ / "data");
  const fs::path socket = folder_ / "socket";
  fs::create_directory(socket);
  give_away(socket);
  start();
}

// What was written is kept for copies that are stopped meanwhile.
std::unique_ptr<PostgresServer> PostgresServer::streaming() {
  std::unique_ptr<PostgresServer> server(
      new PostgresServer(Settings{"wal_level=replica", "max_wal_senders=10", "wal_keep_size=256MB",
                                  "hot_standby=on", "wal_retrieve_retry_interval=100ms"}));
  server->begin([](const fs::path& data) { make_cluster(programs(), data); });
  return server;
}

std::unique_ptr<PostgresServer> PostgresServer::copy(const Settings& settings) const {
  Settings all = settings_;
  all.insert(all.end(), settings.begin(), settings.end());
  std::unique_ptr<PostgresServer> copy(new PostgresServer(std::move(all)));
  copy->begin([&](const fs::path& data) {
    fs::create_directory(data);
    fs::permissions(data, fs::perms::owner_all);
    give_away(data);
    must(run({as_user({(programs() / "pg_basebackup").string(), "-D", data.string(), "-h", host(),
                       "-U", kRole, "-R", "-X", "fetch", "-c", "fast", "--no-sync"})}));
  });
  return copy;
}

void PostgresServer::promote() {
  const postgres::Result done =
      postgres::Connection({url("postgres")}).run("select pg_promote(true, 60)");
  if (done.number(0, 0) == 0) throw std::runtime_error("a copy does not become home");
}

PostgresServer::~PostgresServer() {
  if (server_) (void)end(SIGQUIT);
}

std::string PostgresServer::url(const std::string& database) const {
  return url_at_host(host(), database) + (port_ ? fmt::format("&port={}", port_->number()) : "");
}

std::string PostgresServer::url_at(const std::string& address, const std::string& database,
                                   const std::string& options) const {
  return fmt::format("postgresql://{}@{}:{}/{}?{}", kRole, address, port_->number(), database,
                     options);
}

void PostgresServer::listen(const std::string& address, const std::string& certificate,
                            const std::string& key) {
  stop_at_once();
  const fs::path data = folder_ / "data";
  write_file(data / "server.crt", certificate);
  write_file(data / "server.key", key);
  fs::permissions(data / "server.key", fs::perms::owner_read);
  const fs::path rules = data / "pg_hba.conf";
  write_file(rules, fmt::format("host all all {}/32 trust\n{}", address, read_file(rules)));
  give_away(data);
  port_.emplace(address);
  for (const std::string& setting :
       {"listen_addresses=" + address, fmt::format("port={}", port_->number()),
        std::string("ssl=on")}) {
    settings_.push_back(setting);
  }
  start();
}

void PostgresServer::ask_password_of(const std::string& role) {
  const fs::path rules = folder_ / "data" / "pg_hba.conf";
  write_file(rules, fmt::format("local all {} scram-sha-256\n{}", role, read_file(rules)));
  stop_at_once();
  start();
}

void PostgresServer::stop_at_once() {
  if (!end(SIGQUIT)) throw std::runtime_error("a server of PostgreSQL does not end");
}

bool PostgresServer::end(int signal) {
  server_->signal(signal);
  // A client that connects while a server ends gets a process that the server does not end itself:
  // it would wait for a minute if the other side says nothing.
  Patience patience;
  while (signal == SIGQUIT && !server_->has_ended() && patience.rests()) {
    for (const pid_t process : processes_below(server_->pid())) ::kill(process, SIGQUIT);
  }
  const bool has_ended = !server_->wait().late;
  server_.reset();
  return has_ended;
}

void PostgresServer::start() {
  const fs::path& from = programs_.empty() ? programs() : programs_;
  Command command{as_user({(from / "postgres").string(), "-D", (folder_ / "data").string()})};
  for (const std::string& setting :
       {std::string("listen_addresses="),
        "unix_socket_directories=" + (folder_ / "socket").string(), std::string("fsync=off"),
        std::string("shared_buffers=32MB"), std::string("max_connections=100"),
        std::string("log_checkpoints=off"), std::string("logging_collector=on")}) {
    command.arguments.insert(command.arguments.end(), {"-c", setting});
  }
  for (const std::string& setting : settings_) {
    command.arguments.insert(command.arguments.end(), {"-c", setting});
  }
  server_ = std::make_unique<Background>(command);
  const bool answers = eventually([&] {
    try {
      const postgres::Connection connection({url("postgres")});
      return true;
    } catch (const Error&) {
      return false;
    }
  });
  if (!answers) throw std::runtime_error("PostgreSQL does not answer");
}

std::string url_of(const std::vector<const PostgresServer*>& servers, const std::string& database) {
  std::string hosts;
  for (const PostgresServer* const server : servers) {
    hosts += (hosts.empty() ? "" : ",") + server->host();
  }
  return url_at_host(hosts, database);
}

std::string url_at_host(const std::string& host, const std::string& database) {
  return fmt::format("postgresql://{}@/{}?host={}", kRole, database, host);
}

}  // namespace chirp::test
