// Goal: PostgreSQL's figures about the sessions of a database are shown unchanged, and a server
// that chirp can't work with is refused.
// Method: sessions, locks and pins made by hand on a server of the test's own; a pooler, where it
// is installed.
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/postgres/cluster/schema.h"
#include "store/postgres/cluster/status.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/connection/locks.h"
#include "store/postgres/connection/session_check.h"
#include "store/postgres/connection/session_name.h"
#include "tests/support/eventually.h"
#include "tests/support/postgres_server.h"
#include "tests/support/stores.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

using postgres::Connection;
using store::DirectoryStatus;

DirectoryStatus status_by(Connection& connection) {
  return postgres::status_of(connection, postgres::identity_of(connection));
}

// With a name of its own, so that others tell of it.
std::unique_ptr<Connection> session_named(const std::string& url, const std::string& name) {
  return std::make_unique<Connection>(
      postgres::Address{url, fmt::format("set application_name = '{}'", name)});
}

}  // namespace

TEST_CASE("session names: say who it is, as far as PostgreSQL keeps them") {
  const auto own = postgres::process_named(postgres::session_name());
  REQUIRE(own);
  CHECK(own->pid == ::getpid());
  CHECK_FALSE(own->host.empty());
  CHECK(own->address.empty());
  const auto server = postgres::process_named(postgres::session_name_of_server("[::1]:8080"));
  REQUIRE(server);
  CHECK(server->pid == ::getpid());
  CHECK(server->address == "[::1]:8080");
  CHECK(server->host == own->host);
  const auto cut = postgres::process_named("chirp serve 0.0.0.0:80, 7@a-very-long-nam");
  REQUIRE(cut);
  CHECK(cut->pid == 7);
  for (const char* const other :
       {"", "chirp", "psql", "chirp ", "chirp 7", "chirp x@host", "chirp serve 0.0.0.0:80",
        "chirp serve 0.0.0.0:80, 7", "chirping 7@host"}) {
    CHECK_MESSAGE(!postgres::process_named(other), other);
  }
}

TEST_CASE("database status: servers and commands are known by their sessions") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connection asking({database.url()});
  const auto first = session_named(database.url(), "chirp serve 10.0.0.7:8080, 7@web1");
  const auto second = session_named(database.url(), "chirp serve 10.0.0.7:8080, 7@web1");
  const auto command = session_named(database.url(), "chirp 12@web2");
  const auto stranger = session_named(database.url(), "psql");
  const DirectoryStatus status = status_by(asking);
  REQUIRE(status.servers.size() == 1);
  CHECK(status.servers[0].address == "10.0.0.7:8080");
  CHECK(status.servers[0].pid == 7);
  CHECK(status.servers[0].host == "web1");
  CHECK(status.servers[0].connections == 2);
  CHECK(status.servers[0].since);
  CHECK(status.servers[0].silent_ms.value_or(-1) >= 0);
  REQUIRE(status.database);
  REQUIRE(status.database->commands.size() == 1);
  CHECK(status.database->commands[0].pid == 12);
  CHECK(status.database->connections >= 5);
  CHECK(std::to_string(status.database->connections_most) ==
        asking.run("show max_connections").text(0, 0));
  CHECK(status.database->layout == "one");
  CHECK(status.database->role == "chirp");
  CHECK_FALSE(status.database->is_copy);
  CHECK(status.database->version.starts_with("1"));
  CHECK(status.copies.empty());
}

TEST_CASE("database status: one that has gone is no longer shown") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connection asking({database.url()});
  auto server = session_named(database.url(), "chirp serve 10.0.0.7:8080, 7@web1");
  CHECK(status_by(asking).servers.size() == 1);
  server.reset();
  CHECK(eventually([&] { return status_by(asking).servers.empty(); }));
}

TEST_CASE("database status: shows which process runs the consumers, and how many wait to write") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  const PostgresDatabase other(kTestMachine);
  Connection asking({database.url()});
  CHECK_FALSE(status_by(asking).consumers_run);
  const auto elsewhere = session_named(other.url(), "chirp 1@web1");
  elsewhere->run("select pg_advisory_lock(7234003)");
  CHECK_FALSE(status_by(asking).consumers_run);
  const auto server = session_named(database.url(), "chirp serve 10.0.0.7:8080, 7@web1");
  server->run("select pg_advisory_lock(7234003)");
  server->run("select pg_advisory_lock(7234002)");
  const DirectoryStatus status = status_by(asking);
  CHECK(status.consumers_run);
  REQUIRE(status.consumer);
  CHECK(status.consumer->pid == 7);
  CHECK(status.consumer->address == "10.0.0.7:8080");
  CHECK(status.database->writers_waiting == 0);
}

TEST_CASE("database status: pins that hold are counted, with the lowest number") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connection asking({database.url()});
  CHECK(status_by(asking).database->pins.count == 0);
  asking.script(
      "insert into pins (reader, n, until) values (1, 3, now() - interval '1 s'),"
      " (2, 9, now() + interval '1 h'), (3, 5, '2126-01-15T18:30:00Z')");
  const DirectoryStatus status = status_by(asking);
  CHECK(status.database->pins.count == 2);
  CHECK(status.database->pins.lowest == 5);
  REQUIRE(status.database->pins.until);
  CHECK(iso8601(*status.database->pins.until) == "2126-01-15T18:30:00.000Z");
}

TEST_CASE("database status: what a role may not see is left empty, and said") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connection owner({database.url()});
  owner.script(
      "drop role if exists looker; create role looker login;"
      " grant select on all tables in schema public to looker");
  const auto server = session_named(database.url(), "chirp serve 10.0.0.7:8080, 7@web1");
  std::string url = database.url();
  url.replace(url.find("chirp@"), 6, "looker@");
  {
    Connection asking({url});
    const DirectoryStatus status = status_by(asking);
    CHECK_FALSE(status.database->sees_all);
    REQUIRE(status.servers.size() == 1);
    CHECK(status.servers[0].pid == 7);
    CHECK_FALSE(status.servers[0].since);
    CHECK_FALSE(status.servers[0].silent_ms);
    owner.script("grant pg_read_all_stats to looker");
    const DirectoryStatus more = status_by(asking);
    CHECK(more.database->sees_all);
    CHECK(more.servers[0].since);
  }
  owner.script("drop owned by looker; drop role looker");
}

TEST_CASE("database status: a copy that streams is shown, with its progress") {
  if (!has_postgres()) return;
  const auto server = PostgresServer::streaming();
  Connection({server->url("postgres")}).script("create database world");
  Connection asking({server->url("world")});
  CHECK(postgres::init(asking, {postgres::kFormatVersion, "test", kTestMachine}));
  auto copy = server->copy();
  CHECK(eventually([&] {
    const auto copies = status_by(asking).copies;
    return copies.size() == 1 && copies[0].state == "streaming" && copies[0].bytes_behind == 0;
  }));
  CHECK_FALSE(status_by(asking).copies[0].name.empty());
  CHECK_FALSE(status_by(asking).database->is_copy);
  {
    Connection on_copy({copy->url("world")});
    CHECK(status_by(on_copy).database->is_copy);
    CHECK(status_by(on_copy).copies.empty());
  }
  copy.reset();
  CHECK(eventually([&] { return status_by(asking).copies.empty(); }));
}

TEST_CASE("database: a server before 15 is refused by its version") {
  using postgres::check_server_version;
  CHECK_NOTHROW(check_server_version(150'000, "chirp at db"));
  CHECK_NOTHROW(check_server_version(170'004, "chirp at db"));
  const Error old = error_of([] { check_server_version(140'012, "chirp at db"); });
  CHECK(old.code() == ErrorCode::kVersion);
  CHECK(std::string_view(old.what()) ==
        "The database chirp at db is on PostgreSQL 14.12, and chirp needs 15 or later.");
  const Error older = error_of([] { check_server_version(90'624, "chirp at db"); });
  CHECK(std::string_view(older.what()).find("9.6.24") != std::string_view::npos);
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("database status: writers that wait for their turn are counted") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Connection asking({database.url()});
  auto writing = std::make_unique<Connection>(postgres::Address{database.url()});
  writing->begin();
  writing->run(postgres::kLockWriters);
  std::thread waiting([&] {
    Connection other({database.url()});
    other.run(postgres::kLockWriters);
  });
  CHECK(eventually([&] { return status_by(asking).database->writers_waiting == 1; }));
  writing.reset();
  waiting.join();
  CHECK(status_by(asking).database->writers_waiting == 0);
}

TEST_SUITE_END();

}  // namespace chirp::test
