// Goal: a server starts and ends whatever becomes of its log, and does not say that it listens
// before it has all its threads; each kind has its share of the descriptors. Method: the program
// itself, with a standard error that nobody reads, and under limits of address space as a shell
// sets them.

#include <array>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "server/http/descriptors.h"
#include "server/limits.h"
#include "store/data_directory.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/eventually.h"
#include "tests/support/faults.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::service_limits_test {
namespace {

constexpr std::uint64_t kUsual = 2 << 20;  // KiB, as `ulimit -v` takes them
constexpr std::uint64_t kScarce = 1150 << 10;

Command serve_within(const std::string& data, std::uint64_t kib) {
  Command command;
  command.arguments = {"/bin/sh", "-c",
                       fmt::format("ulimit -v {}; exec '{}' --data '{}' serve --port 0 --quiet",
                                   kib, CHIRP_BINARY, data)};
  return command;
}

std::uint16_t port_in(const std::string& text, std::string_view before) {
  const auto at = text.find(before);
  return at == std::string::npos
             ? std::uint16_t{0}
             : static_cast<std::uint16_t>(std::stoi(text.substr(at + before.size())));
}

void check_serves(const std::string& data, std::uint64_t kib, const std::string& token) {
  Background server(serve_within(data, kib));
  const std::string line = server.error_line();
  const std::uint16_t port = port_in(line, "http://127.0.0.1:");
  REQUIRE_MESSAGE(port != 0, line);
  Asker client(port);
  CHECK(client.ask({"GET", "/healthz"}).ok());
  CHECK(client.ask({"POST", "/v1/posts", R"({"content":"hello"})", token}).status == 201);
  server.signal(SIGTERM);
  CHECK(server.wait().ok());
}

}  // namespace

TEST_CASE("service: starts within two gigabytes of addresses, or says what would do") {
  if (built_with_sanitizer()) return;
  const TempFolder folder;
  const std::string data = (folder / "chirp").string();
  const std::string token = make_served_directory(data, {"mira"}).front();
  check_serves(data, kUsual, token);
  const Ended ended = run(serve_within(data, kScarce));
  CHECK_MESSAGE(ended.status == 1, to_string(ended));
  CHECK(ended.err.find("Listening") == std::string::npos);
  const auto at = ended.err.find("Allow `ulimit -v ");
  REQUIRE_MESSAGE(at != std::string::npos, to_string(ended));
  check_serves(data, std::stoull(ended.err.substr(at + 17)), token);
}

TEST_CASE("command line: a limit that is reached is named, with a value that is enough") {
  if (built_with_sanitizer()) return;
  const TempFolder folder;
  const std::string data = (folder / "chirp").string();
  store::make_data_directory(data, {});
  const auto stats_within = [&](const std::string& limit) {
    Command command;
    command.arguments = {"/bin/sh", "-c",
                         fmt::format("{}; exec '{}' --data '{}' stats", limit, CHIRP_BINARY, data)};
    return run(command);
  };
  std::vector<std::string> limits{"ulimit -v 600000"};
  for (int files = 10; files < 30; ++files) limits.push_back(fmt::format("ulimit -n {}", files));
  int refused = 0;
  for (const std::string& limit : limits) {
    const Ended ended = stats_within(limit);
    if (ended.ok()) continue;
    ++refused;
    CHECK_MESSAGE(ended.err.find("(`" + limit + "`)") != std::string::npos, to_string(ended));
    const auto at = ended.err.find("Allow `");
    REQUIRE_MESSAGE(at != std::string::npos, to_string(ended));
    const std::string enough = ended.err.substr(at + 7, ended.err.find('`', at + 7) - at - 7);
    CHECK_MESSAGE(stats_within(enough).ok(), enough);
  }
  CHECK(refused > 5);
}

TEST_CASE("service: starts and ends though nobody reads its log") {
  const TempFolder folder;
  const std::string data = (folder / "chirp").string();
  const std::string token = make_served_directory(data, {"mira"}).front();
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
  const std::string block(4096, ' ');
  while (::write(ends[1], block.data(), block.size()) > 0) continue;
  REQUIRE(::fcntl(ends[1], F_SETFL, 0) == 0);
  const Start start(chirp_command(data, {"serve", "--port", "0"}));
  const pid_t server = ::fork();
  REQUIRE(server >= 0);
  if (server == 0) {
    (void)::dup2(ends[1], STDERR_FILENO);
    start.become();
  }
  std::uint16_t port = 0;
  CHECK(eventually([&] {
    std::error_code missing;
    if (!std::filesystem::exists(data + "/server.lock", missing)) return false;
    port = port_in(read_file(data + "/server.lock"), "address 127.0.0.1:");
    return port != 0;
  }));
  Asker client(port);
  CHECK(client.ask({"POST", "/v1/posts", R"({"content":"hello"})", token}).status == 201);
  ::kill(server, SIGTERM);
  int status = -1;
  CHECK(eventually([&] { return ::waitpid(server, &status, WNOHANG) == server; }));
  CHECK(status == 0);
  if (status != 0) ::kill(server, SIGKILL);
  // The next one is not kept out.
  const ServerProcess next(data);
  CHECK(next.port() != 0);
}

TEST_CASE("descriptors: where enough may be open, the bounds of the server hold") {
  const http::Descriptors all = http::descriptors_of(65'536);
  CHECK(all.connections == limits::kConnectionsMax);
  CHECK(all.streams == limits::kStreamsMax);
  CHECK(all.files == limits::kFilesMax);
}

TEST_CASE("descriptors: where few may be open, streams leave two thirds of the connections") {
  for (const unsigned open_files : {64U, 256U, 512U, 1'024U, 4'096U, 16'000U, 16'351U, 16'352U}) {
    CAPTURE(open_files);
    const http::Descriptors shares = http::descriptors_of(open_files);
    CHECK(shares.connections + shares.files < open_files);
    CHECK(shares.streams * 3 <= shares.connections);
    CHECK(shares.streams > 0);
    CHECK(shares.files > 0);
  }
  CHECK(http::descriptors_of(1'024).streams == 192);
  for (const unsigned open_files : {0U, 1U, 3U}) {
    const http::Descriptors least = http::descriptors_of(open_files);
    CHECK(least.connections == 1);
    CHECK(least.streams == 1);
    CHECK(least.files == 1);
  }
}

}  // namespace chirp::test::service_limits_test
