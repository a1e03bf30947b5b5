// Goal: what is wrong in a database is found, and what records tell is put right.
// Method: a world in a database, sound at first; rows are taken away, added and changed behind the
// store's back, each kind by itself.
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/rules/writing.h"
#include "store/postgres/storage.h"
#include "tests/support/fake_clock.h"
#include "tests/support/mixed_changes.h"
#include "tests/support/postgres_server.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using postgres::Connection;

struct Damaged {
  Damaged() {
    MixedChanges changes(5);
    for (int i = 0; i < 60; ++i) {
      std::vector<Change> some;
      while (some.size() < 20) some.push_back(changes.next());
      const auto outcomes = storage->write(some, clock.now());
      for (std::size_t at = 0; at < some.size(); ++at) changes.made(some[at], outcomes[at]);
    }
    rules::load_cards(*storage, std::vector{sourced(901), sourced(902)}, clock.now());
  }
  static AuthorCard sourced(std::uint32_t number) {
    AuthorCard found = card(number);
    found.source = SourceKey(number % 2 == 0 ? SourceKey(SourceId{number})
                                             : SourceKey(fmt::format("word {}", number)));
    return found;
  }
  [[nodiscard]] std::vector<std::string> problems() const {
    return storage->snapshot()->problems();
  }
  // How many rows it has changed.
  std::int64_t damage(const std::string& sql) {
    Connection connection({database.url()});
    return connection.run(sql).changed();
  }

  PostgresDatabase database{kTestMachine};
  std::unique_ptr<postgres::PostgresStorage> storage = postgres::open_storage(database.url());
  FakeClock clock{kStart};
};

}  // namespace

TEST_CASE("postgres: damage: indexes, edges and counts are found wrong, and put right") {
  if (!has_postgres()) return;
  Damaged world;
  REQUIRE(world.problems().empty());
  CHECK(world.storage->repair_indexes(kStart) == 0);
  const char* const kind[] = {
      "delete from card_ids where usr % 3 = 0",
      "delete from card_sources",
      "delete from card_words",
      "update card_ids set usr = usr + 1 where usr = 901",
      "delete from author_logs where id in (select id from posts limit 5)",
      "insert into author_logs (born, author, id) values (1, 3, 12345)",
      "delete from followers_logs",
      "delete from private_logs",
      "insert into private_logs (born, author, id) select 1, author, id from author_logs limit 3",
      "insert into author_logs (born, author, id) select 1, author, id from private_logs limit 3",
      "delete from reposts",
      "delete from reactions_by",
      "insert into reactions_by (born, usr, content, author) values (1, 3, 12345, 4)",
      "delete from threads",
      "insert into hidden_threads (born, post, parent, id) values (1, 3, 0, 12345)",
      "delete from comments_by",
      "delete from related",
      "insert into related (born, other, kind, usr) values (1, 900, 1, 899)",
      "delete from followers",
      "delete from following where usr % 2 = 0",
  };
  for (const char* const sql : kind) {
    CAPTURE(sql);
    CHECK(world.damage(sql) > 0);
    CHECK_FALSE(world.problems().empty());
    CHECK(world.storage->repair_indexes(kStart) > 0);
    CHECK(world.problems() == std::vector<std::string>{});
    CHECK(world.storage->repair_indexes(kStart) == 0);
  }
}

TEST_CASE("postgres: damage: what no record tells is found") {
  if (!has_postgres()) return;
  const char* const kind[] = {
      "insert into posts (id, author, created_at, privacy, text, born) select id, author,"
      " created_at, privacy, 'another', born + 1 from posts where died is null limit 1",
      "update posts set born = 1000000 where id = (select max(id) from posts)",
      "delete from events where seq = (select max(seq) - 3 from events)",
      "update timelines set head = '\\xff'",
      "insert into timeline_parts (newest, viewer, run) values (7, 100000, '\\x00')",
      "alter table relations drop constraint relations_pkey",
      "drop table threads",
  };
  for (const char* const sql : kind) {
    CAPTURE(sql);
    Damaged world;
    REQUIRE(world.problems().empty());
    world.damage(sql);
    CHECK_FALSE(world.problems().empty());
  }
}

}  // namespace chirp::test
