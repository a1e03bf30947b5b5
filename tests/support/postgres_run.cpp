#include "tests/support/postgres_run.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/eventually.h"
#include "tests/support/postgres_server.h"
#include "tests/support/progress.h"
#include "tests/support/watched_run.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnlabelled = "none";

// The folder with a file for each run of ctest in this build; empty where ctest runs no test.
std::string runs_folder() {
  const char* const folder = std::getenv("CHIRP_POSTGRES_RUNS");
  return folder == nullptr ? "" : folder;
}

// Not one that has ended and that nobody has asked about since.
bool is_running(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/stat", process));
  const std::string stat((std::istreambuf_iterator<char>(in)), {});
  const std::size_t name_end = stat.rfind(") ");
  return name_end != std::string::npos && stat[name_end + 2] != 'Z';
}

// What a run says of its server.
struct RunServer {
  pid_t keeper = 0;
  fs::path socket;  // its folder
};

fs::path file_of(pid_t ctest) { return fs::path(runs_folder()) / std::to_string(ctest); }

std::optional<RunServer> server_of(const fs::path& file) {
  RunServer server;
  std::ifstream in(file);
  if (!(in >> server.keeper >> server.socket)) return std::nullopt;
  return server;
}

// Files and folders of runs whose keeper was killed: the server has ended with it.
void clear_up() {
  for (const auto& entry : fs::directory_iterator(runs_folder())) {
    const auto server = server_of(entry.path());
    if (!server || is_running(server->keeper)) continue;
    fs::remove_all(server->socket.parent_path());
    fs::remove(entry.path());
  }
}

// As many sessions as the tests of a run may have together, and nothing that a server which lives
// for one test has no time for: a vacuum would meet databases that are being copied.
PostgresServer::Settings settings() {
  const unsigned sessions = std::max(400U, 50U * (std::thread::hardware_concurrency() + 2));
  return {fmt::format("max_connections={}", sessions), "shared_buffers=128MB", "autovacuum=off"};
}

// Waits until somebody asks it to end, or ctest is gone.
void keep_until_end(pid_t ctest) {
  sigset_t end;
  ::sigemptyset(&end);
  ::sigaddset(&end, SIGTERM);
  const timespec second{1, 0};
  while (::sigtimedwait(&end, nullptr, &second) < 0 && is_running(ctest)) {
  }
}

void block_end() {
  sigset_t end;
  ::sigemptyset(&end);
  ::sigaddset(&end, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &end, nullptr);
}

// ctest waits until nobody holds the outputs of a test any more.
void leave_terminal() {
  ::setsid();
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
}

// The main function of a keeper. Writes to `told` why there is no server; writes nothing if there
// is one.
void keep(pid_t ctest, int told) {
  block_end();
  leave_terminal();
  try {
    auto server = PostgresServer::with_models(settings());
    const fs::path file = file_of(ctest);
    const fs::path half = file.string() + ".half";
    std::ofstream(half) << ::getpid() << ' ' << fs::path(server->host()) << '\n';
    fs::rename(half, file);
    ::close(told);
    keep_until_end(ctest);
    server.reset();
    fs::remove(file);
  } catch (const std::exception& error) {
    const std::string_view why = error.what();
    (void)!::write(told, why.data(), why.size());
  }
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> block{};
  for (;;) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

std::optional<fs::path> postgres_of_run() {
  if (runs_folder().empty()) return std::nullopt;
  const auto server = server_of(file_of(run_started_by()));
  if (!server) return std::nullopt;
  count_also(server->keeper);
  return server->socket;
}

void need_database_label() {
  if (runs_folder() == kUnlabelled) {
    throw std::logic_error(
        "This test needs PostgreSQL. Add its name to DATABASE_TESTS in tests/labels.cmake.");
  }
}

// ---------------------------------------------------------------- what ctest runs

TEST_SUITE_BEGIN("run" * doctest::skip());

TEST_CASE("run: a server of PostgreSQL starts for all tests") {
  if (!has_postgres()) return;
  fs::create_directories(runs_folder());
  clear_up();
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  const pid_t ctest = run_started_by();
  const pid_t keeper = ::fork();
  REQUIRE(keeper >= 0);
  if (keeper == 0) {
    keep(ctest, ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  const std::string trouble = read_all(ends[0]);
  ::close(ends[0]);
  CHECK_MESSAGE(trouble.empty(), trouble);
  CHECK(postgres_of_run());
}

TEST_CASE("run: the server of all tests ends") {
  const fs::path file = file_of(run_started_by());
  const auto server = server_of(file);
  if (!server) return;
  ::kill(server->keeper, SIGTERM);
  CHECK(eventually([&] { return !fs::exists(file); }));
  CHECK_FALSE(fs::exists(server->socket));
}

TEST_SUITE_END();

}  // namespace chirp::test
