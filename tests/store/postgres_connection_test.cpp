// Goal: what is said to PostgreSQL arrives, and what goes wrong there is one of our errors.
// Method: statements on a server of the test's own, and connections that are cut.
#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/postgres/cluster/connections.h"
#include "store/postgres/connection/connecting.h"
#include "tests/support/eventually.h"
#include "tests/support/postgres_server.h"
#include "tests/support/stores.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

using postgres::Address;
using postgres::Array;
using postgres::Connection;
using postgres::Connections;
using postgres::Params;
using postgres::PostgresError;
using postgres::Type;

std::optional<ErrorCode> code_of(const std::string& url) {
  try {
    postgres::check_url(url);
    const Connection connection({url});
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

// What who connects to this address says first: the number behind the length of the message.
std::uint32_t first_word_of(const std::string& options) {
  const int listening = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const at = reinterpret_cast<sockaddr*>(&address);
  REQUIRE(::bind(listening, at, size) == 0);
  REQUIRE(::listen(listening, 1) == 0);
  REQUIRE(::getsockname(listening, at, &size) == 0);
  std::uint32_t word = 0;
  std::thread server([&] {
    const int line = ::accept(listening, nullptr, nullptr);
    ::close(listening);  // who tries again is refused at once
    std::array<std::uint32_t, 2> words{};
    if (::recv(line, words.data(), sizeof words, MSG_WAITALL) == sizeof words) {
      word = ntohl(words[1]);
    }
    (void)!::write(line, "N", 1);
    ::close(line);
  });
  CHECK(code_of(fmt::format("postgresql://chirp@127.0.0.1:{}/chirp?{}", ntohs(address.sin_port),
                            options)) == ErrorCode::kUnavailable);
  server.join();
  return word;
}

}  // namespace

TEST_CASE("postgres: values of every type come back as they went") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connection connection({database.url()});
  Array numbers(Type::kInt8);
  numbers.number(std::int64_t{5}).number(std::int64_t{-7}).null();
  const auto rows = connection.run(
      "select x, x::int4, x::int2, x > 0, 'x' || $2::text, $3::bytea from unnest($1::int8[]) x",
      Params().add(numbers).text("hé").bytes(std::string_view("\0\1", 2)));
  REQUIRE(rows.rows() == 3);
  CHECK(rows.number(0, 0) == 5);
  CHECK(rows.number(1, 1) == -7);
  CHECK(rows.number(1, 2) == -7);
  CHECK(rows.number(0, 3) == 1);
  CHECK(rows.is_null(2, 0));
  CHECK(rows.text(0, 4) == "xhé");
  CHECK(rows.bytes(0, 5) == std::string_view("\0\1", 2));
  const auto array = connection.run("select array[1, -2]::int4[], array[]::int4[]");
  CHECK(postgres::numbers_in(array.bytes(0, 0)) == std::vector<std::int64_t>{1, -2});
  CHECK(postgres::numbers_in(array.bytes(0, 1)).empty());
}

TEST_CASE("postgres: what is asked together is one round trip, whatever its size") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connection connection({database.url()});
  // More than fits between the two sides, both ways at once.
  const std::string much(3'000'000, 'x');
  const auto before = connection.round_trips();
  connection.begin();
  for (int i = 0; i < 10; ++i) connection.send("select $1::text", Params().text(much));
  const auto results = connection.commit();
  CHECK(connection.round_trips() == before + 1);
  REQUIRE(results.size() == 10);
  CHECK(results.back().bytes(0, 0).size() == much.size());
}

TEST_CASE("postgres: what fails takes what goes with it along, and nothing else") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connection connection({database.url()});
  connection.script("create table numbers (i int4 constraint each_once primary key)");
  constexpr std::string_view kInsert = "insert into numbers values ($1::int4)";
  connection.run(kInsert, Params().int4(1));
  connection.send(kInsert, Params().int4(2));
  connection.send(kInsert, Params().int4(1));
  connection.send("select count(*) from numbers where i > $1::int4", Params().int4(0));
  try {
    connection.receive();
    FAIL("it must be refused");
  } catch (const PostgresError& error) {
    CHECK(error.code() == ErrorCode::kConflict);
    CHECK(error.sqlstate() == postgres::kUniqueViolation);
    CHECK(error.constraint() == "each_once");
  }
  CHECK(connection.run("select count(*) from numbers").number(0, 0) == 1);
  connection.begin();
  connection.run(kInsert, Params().int4(3));
  connection.rollback();
  CHECK(connection.run("select count(*) from numbers").number(0, 0) == 1);
  CHECK_THROWS_AS(connection.script("select 1 / 0"), PostgresError);
  CHECK(connection.run("update numbers set i = i + 1").changed() == 1);
}

TEST_CASE("postgres: a line that is cut is unavailable, and another takes its place") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connections connections({database.url()}, 1);
  {
    const auto connection = connections.lend();
    try {
      connection->run("select pg_terminate_backend(pg_backend_pid())");
      FAIL("the session has ended");
    } catch (const PostgresError& error) {
      CHECK(error.code() == ErrorCode::kUnavailable);
    }
    CHECK(connection->broken());
  }
  CHECK(connections.lend()->run("select 42").number(0, 0) == 42);
}

TEST_CASE("postgres: a transaction that is left open is undone") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connections connections({database.url()}, 1);
  {
    const auto connection = connections.lend();
    connection->begin();
    connection->run("insert into pins (reader, n, until) values (1, 1, now())");
  }
  CHECK(connections.lend()->run("select count(*) from pins").number(0, 0) == 0);
}

TEST_CASE("postgres: an address with a password is refused, and so is an invalid one") {
  CHECK(code_of("postgresql://somebody:secret@/chirp") == ErrorCode::kInvalidArgument);
  CHECK(code_of("postgresql:///chirp?password=secret") == ErrorCode::kInvalidArgument);
  CHECK(code_of("/a/folder") == ErrorCode::kInvalidArgument);
  CHECK(code_of("postgresql://[::1/chirp") == ErrorCode::kInvalidArgument);
  CHECK(code_of("postgresql:///chirp?host=/nowhere") == ErrorCode::kUnavailable);
}

TEST_CASE("postgres: what goes over a network is in the clear unless it is encrypted") {
  using postgres::is_in_the_clear;
  for (const char* const here : {"", "/run/postgresql", "127.0.0.1", "127.1.2.3", "::1"}) {
    CHECK_FALSE(is_in_the_clear(here, false));
  }
  for (const char* const away : {"10.0.0.7", "128.0.0.1", "::2", "fe80::1"}) {
    CHECK(is_in_the_clear(away, false));
    CHECK_FALSE(is_in_the_clear(away, true));
  }
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  CHECK_FALSE(Connection({database.url()}).is_in_the_clear());
}

TEST_CASE("postgres: a wrong password, a missing role and a missing database have own errors") {
  if (!has_postgres()) return;
  PostgresServer server;
  {
    Connection administrator({server.url("postgres")});
    administrator.script(
        "create role keeper login password 'right';"
        " do $$ begin execute format('copy (select %L) to %L', 'local all keeper scram-sha-256',"
        " current_setting('hba_file')); end $$;"
        " select pg_reload_conf()");
  }
  const TempFolder folder;
  const auto url_with = [&](const std::string& password) {
    const auto file = folder / password;
    std::ofstream(file) << "*:*:*:keeper:" << password << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_read);
    std::string url = server.url("postgres");
    url.replace(url.find("chirp@"), 6, "keeper@");
    return url + "&passfile=" + file.string();
  };
  CHECK(eventually([&] { return code_of(server.url("postgres")) == ErrorCode::kNotLetIn; }));
  CHECK_FALSE(code_of(url_with("right")));
  CHECK(code_of(url_with("wrong")) == ErrorCode::kNotLetIn);
  std::string elsewhere = url_with("right");
  elsewhere.replace(elsewhere.find("/postgres?"), 10, "/nowhere?");
  CHECK(code_of(elsewhere) == ErrorCode::kIo);
}

TEST_CASE("postgres: a server that goes is unavailable, and used again when it is back") {
  if (!has_postgres()) return;
  PostgresServer server;
  Connections connections({server.url("postgres")}, 2);
  CHECK(connections.lend()->run("select 1").number(0, 0) == 1);
  server.stop_at_once();
  for (int again = 0; again < 2; ++again) {
    try {
      connections.lend()->run("select 1");
      FAIL("nobody is there");
    } catch (const PostgresError& error) {
      CHECK(error.code() == ErrorCode::kUnavailable);
    }
  }
  server.start();
  CHECK(connections.lend()->run("select 2").number(0, 0) == 2);
}

TEST_CASE("postgres: a script whose server went away gets the error of a lost connection") {
  if (!has_postgres()) return;
  PostgresServer server;
  Connection connection({server.url("postgres")});
  CHECK(connection.run("select 1").number(0, 0) == 1);
  server.stop_at_once();
  server.start();
  const Error error = error_of([&] { connection.script("select 1"); });
  CHECK(error.code() == ErrorCode::kUnavailable);
  CHECK_MESSAGE(connection.broken(), std::string(error.what()));
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres: what an address says of TLS is libpq's to do") {
  constexpr std::uint32_t kPlain = 196608;      // version 3.0 of the protocol
  constexpr std::uint32_t kSecured = 80877103;  // a request for TLS
  CHECK(first_word_of("sslmode=disable") == kPlain);
  CHECK(first_word_of("sslmode=require") == kSecured);
  CHECK(code_of("postgresql://127.0.0.1/chirp?sslmode=sometimes") == ErrorCode::kUnavailable);
}

TEST_SUITE_END();

}  // namespace chirp::test
