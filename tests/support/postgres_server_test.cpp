// Goal: a server ends at once, whoever has connected to it and says nothing. Method: a process of
// it that can't end holds it in the middle of its end, where it takes such a connection.
#include "tests/support/postgres_server.h"

#include <csignal>
#include <exception>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include "store/postgres/connection/connection.h"
#include "tests/support/http_client.h"

namespace chirp::test {
namespace {

// What a program says first: version 3.0 of the protocol and its user.
constexpr std::string_view kStart{"\0\0\0\x14\0\x03\0\0user\0chirp\0\0", 20};
constexpr char kWelcome = 'R';  // how the answer begins if the server takes it in

char first_answer(const std::string& socket) {
  const int line = HttpClient::connect_to(socket);
  char letter = 0;
  if (::send(line, kStart.data(), kStart.size(), MSG_NOSIGNAL) > 0) {
    (void)!::recv(line, &letter, 1, 0);
  }
  ::close(line);
  return letter;
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres server: it ends beside a connection that says nothing") {
  if (!has_postgres()) return;
  PostgresServer server;
  const std::string socket = server.host() + "/.s.PGSQL.5432";
  REQUIRE(first_answer(socket) == kWelcome);
  postgres::Connection connection({server.url("postgres")});
  const auto held = static_cast<pid_t>(connection.run("select pg_backend_pid()").number(0, 0));
  ::kill(held, SIGSTOP);
  std::exception_ptr wrong;
  std::thread ending([&] {
    try {
      server.stop_at_once();
    } catch (...) {
      wrong = std::current_exception();
    }
  });
  while (first_answer(socket) == kWelcome) {
  }
  const int silent = HttpClient::connect_to(socket);
  ::kill(held, SIGCONT);
  ending.join();
  ::close(silent);
  CHECK(wrong == nullptr);
}

TEST_SUITE_END();

}  // namespace chirp::test
