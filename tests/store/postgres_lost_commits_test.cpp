// Goal: who loses the connection in the midst of a commit of users is told right whether it was
// made.
// Method: a socket between that is cut as the commit goes by: before the server has it, or after it
// and before the answer.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <map>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/postgres/storage.h"
#include "store/postgres/users.h"
#include "tests/support/directories.h"
#include "tests/support/postgres_server.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

int socket_at(const std::filesystem::path& path, int (*use)(int, const sockaddr*, socklen_t)) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = path.string();
  std::copy_n(name.c_str(), std::min(name.size() + 1, sizeof address.sun_path - 1),
              static_cast<char*>(address.sun_path));
  if (fd < 0 || use(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw std::runtime_error("no socket at " + name);
  }
  return fd;
}

// Hands on what goes between programs and the server, until it is told to cut a commit.
class Between {
 public:
  enum class Cut { kNever, kBefore, kAfter };

  Between(const std::filesystem::path& server, const std::filesystem::path& here)
      : server_(server), listening_(socket_at(here, ::bind)) {
    if (::listen(listening_, 8) != 0 || ::pipe(stop_.data()) != 0) std::terminate();
    thread_ = std::thread([this] { run(); });
  }
  ~Between() {
    (void)!::write(stop_[1], "s", 1);
    thread_.join();
    for (const int fd : {listening_, stop_[0], stop_[1]}) ::close(fd);
  }
  Between(const Between&) = delete;
  Between& operator=(const Between&) = delete;

  // The next commit that goes by; of a connection that has made none yet.
  void cut_once(Cut when) { cut_ = when; }

 private:
  // Two ends that hand on to each other.
  struct End {
    int other = -1;
    bool is_server = false;
    bool answer_is_cut = false;  // of a server: what it says next goes nowhere
  };

  void run() {
    for (;;) {
      std::vector<pollfd> waiting{{stop_[0], POLLIN, 0}, {listening_, POLLIN, 0}};
      for (const auto& [fd, end] : ends_) waiting.push_back({fd, POLLIN, 0});
      (void)::poll(waiting.data(), waiting.size(), -1);
      if (waiting[0].revents != 0) break;
      if (waiting[1].revents != 0) take_in();
      for (std::size_t i = 2; i < waiting.size(); ++i) {
        if (waiting[i].revents != 0 && ends_.contains(waiting[i].fd)) hand_on(waiting[i].fd);
      }
    }
    while (!ends_.empty()) close_both(ends_.begin()->first);
  }

  void take_in() {
    const int client = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    const int server = socket_at(server_, ::connect);
    ends_[client] = {server, false, false};
    ends_[server] = {client, true, false};
  }

  void hand_on(int fd) {
    const End& end = ends_.at(fd);
    std::array<char, 16'384> bytes{};
    const ssize_t size = ::read(fd, bytes.data(), bytes.size());
    if (size <= 0 || end.answer_is_cut) return close_both(fd);
    const std::string_view said(bytes.data(), static_cast<std::size_t>(size));
    if (!end.is_server && said.find("commit") != std::string_view::npos) {
      const Cut cut = cut_.exchange(Cut::kNever);
      if (cut == Cut::kBefore) return close_both(fd);
      if (cut == Cut::kAfter) ends_.at(end.other).answer_is_cut = true;
    }
    if (::write(end.other, said.data(), said.size()) != size) close_both(fd);
  }

  void close_both(int fd) {
    const int other = ends_.at(fd).other;
    for (const int each : {fd, other}) {
      ::close(each);
      ends_.erase(each);
    }
  }

  std::filesystem::path server_;
  int listening_;
  std::array<int, 2> stop_{};
  std::map<int, End> ends_;
  std::atomic<Cut> cut_{Cut::kNever};
  std::thread thread_;
};

// A database, once beside the socket between and once through it.
struct World {
  [[nodiscard]] postgres::Address through() const {
    postgres::Address address = postgres::storage_address(database.url());
    const auto lent = plain.lend();
    const std::string name = lent->run("select current_database()::text").text(0, 0);
    const std::string role = lent->run("select current_user::text").text(0, 0);
    address.url = fmt::format("postgresql://{}@/{}?host={}", role, name, folder.path().string());
    return address;
  }
  [[nodiscard]] std::filesystem::path socket() const {
    const auto lent = plain.lend();
    const postgres::Result where =
        lent->run("select current_setting('unix_socket_directories'), current_setting('port')");
    return fmt::format("{}/.s.PGSQL.{}", where.text(0, 0), where.text(0, 1));
  }

  PostgresDatabase database{kDirectoryMachine};
  TempFolder folder;
  mutable postgres::Connections plain{postgres::storage_address(database.url())};
  Between between{socket(), folder / ".s.PGSQL.5432"};
  postgres::Connections cut{through()};
  postgres::PostgresUserDirectory users{cut, kDirectoryMachine};
  postgres::PostgresUserDirectory others{plain, kDirectoryMachine};
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres users: a commit whose answer is lost is a commit") {
  if (!has_postgres()) return;
  World world;
  world.between.cut_once(Between::Cut::kAfter);
  const User mira = world.users.add(named("mira"), kNow);
  CHECK(world.others.find_name("mira") == mira);
  CHECK(world.users.find_name("mira") == mira);
  CHECK(world.users.add(named("yuki"), kNow).number == UserNumber{2});
  CHECK(world.others.problems().empty());
}

TEST_CASE("postgres users: a commit that the server has not got is none") {
  if (!has_postgres()) return;
  World world;
  world.between.cut_once(Between::Cut::kBefore);
  CHECK(code_of([&] { world.users.add(named("mira"), kNow); }) == ErrorCode::kUnavailable);
  CHECK_FALSE(world.others.find_name("mira"));
  CHECK(world.users.add(named("mira"), kNow).number == UserNumber{1});
  CHECK(world.others.problems().empty());
}

TEST_SUITE_END();

}  // namespace chirp::test
