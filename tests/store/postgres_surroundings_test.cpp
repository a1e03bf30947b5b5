// Goal: whatever a database's administrator has set, an address asks for or a line does to those
// who read, and however many processes write, what is stored and shown is the same.
// Method: settings of the database and of the address, lines that are cut at one message after the
// other, a process that is alone, eight of them at once, and one with another clock.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/postgres/cluster/connections.h"
#include "store/postgres/cluster/schema.h"
#include "store/postgres/connection/waiting.h"
#include "store/postgres/storage.h"
#include "tests/support/child.h"
#include "tests/support/cut_line.h"
#include "tests/support/fake_clock.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/postgres_server.h"
#include "tests/support/storage_contract.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

using postgres::Connection;
using postgres::open_storage;

std::string name_of(Connection& connection) {
  return connection.run("select current_database()::text").text(0, 0);
}

Outcome write_one(Storage& storage, const Change& change) {
  return storage.write({&change, 1}, FakeClock().now()).front();
}

std::int64_t rows_of(const std::string& url, const std::string& table) {
  return Connection({url}).run("select count(*) from " + table).number(0, 0);
}

// Everybody, read through the line.
std::vector<AuthorCard> read_through(const CutLine& line, const std::string& url) {
  const auto storage = open_storage(line.through(url));
  const auto snapshot = storage->snapshot();
  return reads::rows_above<tables::Cards>(*snapshot, {kNobody}, 10);
}

}  // namespace

TEST_CASE("postgres: a change sees what was committed before it, whatever isolation is usual") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  {
    Connection connection({database.url()});
    connection.run(fmt::format("alter database {} set default_transaction_isolation = serializable",
                               name_of(connection)));
  }
  Connection late({database.url()});
  late.begin();
  CHECK(late.run("select count(*) from commits").number(0, 0) == 1);
  const auto storage = open_storage(database.url());
  write_one(*storage, PutCard{card(1)});
  CHECK(late.run("select count(*) from commits").number(0, 0) == 2);
  late.rollback();
}

TEST_CASE("postgres: texts are what they are, whatever encoding an address asks for") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  const auto storage = open_storage(database.url() + "&client_encoding=LATIN1");
  write_one(*storage, PutCard{card(1)});
  const PostId post = write_one(*storage, Publish{UserNumber{1}, "é 中 👍"}).post;
  CHECK(open_storage(database.url())->snapshot()->post(post)->text == "é 中 👍");
}

TEST_CASE("postgres: a database in another encoding is refused before anything is made") {
  if (!has_postgres()) return;
  Connection administrator({shared_postgres_url("postgres")});
  administrator.script("drop database if exists chirp_latin");
  administrator.script(
      "create database chirp_latin encoding 'LATIN1' locale 'C' template template0");
  {
    Connection connection({shared_postgres_url("chirp_latin")});
    try {
      postgres::init(connection, {postgres::kFormatVersion, "test", kTestMachine});
      FAIL("it was made");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kConflict);
      CHECK(std::string(error.what()).find("LATIN1") != std::string::npos);
    }
    CHECK(connection.run("select count(*) from pg_class where relname = 'commits'").number(0, 0) ==
          0);
  }
  administrator.script("drop database chirp_latin");
}

TEST_CASE("postgres: only a process that runs commands alone sweeps what is old") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  constexpr int kMany = 130;
  int written = 0;
  // Each a process of its own, as it were: it does not know how old a commit is.
  const auto write_many = [&] {
    const auto storage = open_storage(database.url());
    for (int i = 0; i < kMany; ++i) {
      AuthorCard changed = card(1);
      changed.display_name = fmt::format("{} of {}", i, written++);
      write_one(*storage, PutCard{changed});
    }
  };
  const auto grow_old = [&] {
    Connection({database.url()}).run("update commits set at = at - interval '1 hour'");
  };
  write_many();
  CHECK(rows_of(database.url(), "commits") == kMany + 1);
  grow_old();
  {
    const Connection somebody({database.url()});
    write_many();
    CHECK(rows_of(database.url(), "commits") == 2 * kMany + 1);
  }
  write_many();
  CHECK(rows_of(database.url(), "commits") <= 2 * kMany + 1);
  CHECK(rows_of(database.url(), "cards") <= 2 * kMany + 1);
}

TEST_CASE("postgres: a process with another clock than the database reads, and writes nothing") {
  if (!has_postgres()) return;
  const PostgresDatabase one(kTestMachine);
  const PostgresNodes nodes;
  for (const std::string& url : {one.url(), nodes.url()}) {
    write_one(*open_storage(url), PutCard{card(1)});
    const auto write_with = [&](std::int64_t apart_ms) {
      postgres::StorageOptions options;
      options.clock = [&] { return Time{postgres::machine_time().ms + apart_ms}; };
      const auto storage = open_storage(url, options);
      CHECK(storage->snapshot()->find(tables::Cards::Key{UserNumber{1}}));
      write_one(*storage, Publish{UserNumber{1}, "post"});
    };
    for (const std::int64_t apart : {-12'000, 12'000}) {
      const Error error = error_of([&] { write_with(apart); });
      CHECK(error.code() == ErrorCode::kUnavailable);
      const std::string said = error.what();
      CHECK_MESSAGE(said.find(apart > 0 ? "ahead of" : "behind") != std::string::npos, said);
      CHECK(open_storage(url)->snapshot()->state().log_end == Sequence{2});
    }
    for (const std::int64_t apart : {-7'000, 7'000}) write_with(apart);
    CHECK(open_storage(url)->snapshot()->state().log_end == Sequence{4});
  }
}

TEST_CASE("postgres: a command on a machine with another clock leaves nothing, of a user neither") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  {
    // The database's clock is set, as it were: its own function is found before PostgreSQL's.
    Connection connection({database.url()});
    connection.script(
        fmt::format("alter database {} set search_path = public, pg_catalog", name_of(connection)));
    connection.script(
        "create function public.clock_timestamp() returns timestamptz language sql as"
        " $$ select pg_catalog.clock_timestamp() + interval '1 minute' $$");
  }
  const Ended refused = run(chirp_command(database.url(), {"user", "add", "mira"}));
  CHECK(refused.status == 1);
  CHECK_MESSAGE(refused.err.find("The clock of this machine") != std::string::npos, refused.err);
  CHECK(rows_of(database.url(), "users") == 0);
  CHECK(rows_of(database.url(), "cards") == 0);
  CHECK(run(chirp_command(database.url(), {"user", "list"})).ok());
}

TEST_CASE("postgres: ids of eight processes at once ascend as they were committed") {
  if (!has_postgres()) return;
  constexpr std::size_t kProcesses = 8;
  constexpr std::size_t kRounds = 3;
  const PostgresDatabase one(kTestMachine);
  const PostgresNodes nodes;
  for (const std::string& url : {one.url(), nodes.url()}) {
    const Ended added = run(chirp_command(url, {"user", "add", "mira"}));
    REQUIRE_MESSAGE(added.ok(), to_string(added));
    for (std::size_t round = 0; round < kRounds; ++round) {
      std::deque<Background> processes;
      for (std::size_t i = 0; i < kProcesses; ++i) {
        processes.emplace_back(
            chirp_command(url, {"post", "add", "mira", fmt::format("post {}", i)}));
      }
      for (Background& process : processes) {
        const Ended ended = process.wait();
        CHECK_MESSAGE(ended.ok(), to_string(ended));
      }
    }
    std::vector<PostId> posts;
    for (const auto& event : reads::events(*open_storage(url)->snapshot(), Sequence{1}, kAll)) {
      if (event.topic == events::Topic::kPostCreated) posts.push_back(event.post);
    }
    CHECK(posts.size() == kProcesses * kRounds);
    CHECK(std::ranges::is_sorted(posts));
    CHECK(std::ranges::adjacent_find(posts) == posts.end());
  }
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres: a read goes on if the line is cut once, at any message") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  {
    const auto storage = open_storage(database.url());
    for (std::uint32_t user = 1; user <= 5; ++user) write_one(*storage, PutCard{card(user)});
  }
  std::uint64_t opening = 0;
  std::uint64_t all = 0;
  {
    const CutLine line(database.url(), [](const Message&) { return Cut{}; });
    const auto storage = open_storage(line.through(database.url()));
    opening = line.messages();
    REQUIRE(reads::rows_above<tables::Cards>(*storage->snapshot(), {kNobody}, 10).size() == 5);
    all = line.messages();
  }
  REQUIRE(all > opening);
  for (const Cut::When when : {Cut::When::kBefore, Cut::When::kAfter}) {
    for (std::uint64_t at = opening + 1; at <= all; ++at) {
      CAPTURE(at);
      const CutLine line(database.url(), [&](const Message& message) {
        return Cut{message.number == at ? when : Cut::When::kNever};
      });
      CHECK(read_through(line, database.url()).size() == 5);
    }
  }
}

TEST_SUITE_END();

}  // namespace chirp::test
