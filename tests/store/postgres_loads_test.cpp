// Goal: a load of follows into PostgreSQL stores the same as one edge after the other, whatever the
// size of its transactions, and large ones keep nobody waiting.
// Method: loads of random edges with transactions that grow, in one database and over several,
// beside removals, blocks and writers who wait, and with lines that are cut; what is stored then
// is held against a set of edges.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "core/error.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/postgres/commit/load_pace.h"
#include "store/postgres/commit/turn.h"
#include "store/postgres/connection/locks.h"
#include "store/postgres/rows/questions.h"
#include "store/postgres/storage.h"
#include "tests/support/bulk_people.h"
#include "tests/support/eventually.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/postgres_server.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_contract.h"

namespace chirp::test::postgres_loads_test {
namespace {

using postgres::Connection;
using postgres::open_storage;
using postgres::Step;
using postgres::StorageOptions;

using EdgeSet = std::set<std::pair<UserNumber, UserNumber>>;

// With repeated ones.
Edges random_edges(std::uint32_t users, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  return some_edges(random, users, count);
}

EdgeSet set_of(std::span<const LoadedEdge> edges) {
  EdgeSet set;
  for (const auto& [follower, followee] : edges) set.emplace(follower, followee);
  return set;
}

EdgeSet stored_in(const Storage& storage, std::uint32_t users) {
  EdgeSet set;
  const auto snapshot = storage.snapshot();
  for (std::uint32_t number = 1; number <= users; ++number) {
    const UserNumber user{number};
    for (const Edge& edge : reads::following(*snapshot, user, kNobody, kAll).edges) {
      set.emplace(user, edge.other);
    }
  }
  return set;
}

std::vector<events::Topic> topics_in(const Storage& storage) {
  std::vector<events::Topic> topics;
  for (const events::Event& event : reads::events(*storage.snapshot(), Sequence{1}, kAll)) {
    topics.push_back(event.topic);
  }
  return topics;
}

bool somebody_waits(const std::string& url) {
  Connection connection({url});
  try {
    connection.run(postgres::kGiveWay);
    return false;
  } catch (const Error&) {
    return true;
  }
}

// Transactions of 4 edges, then of 8 and so on.
StorageOptions growing(std::function<void(Step)> at_step = {}) {
  StorageOptions options;
  options.edges_at_once = 4;
  options.edges_at_most = 256;
  options.at_step = std::move(at_step);
  return options;
}

}  // namespace

TEST_CASE("postgres: loads in transactions that grow store what a set of edges holds") {
  if (!has_postgres()) return;
  constexpr std::uint32_t kUsers = 60;
  const auto check_at = [](const std::string& url) {
    const auto storage = open_storage(url, growing());
    sign_up(*storage, kUsers);
    const Edges first = random_edges(kUsers, 700, 1);
    const Edges second = random_edges(kUsers, 900, 2);
    EdgeSet expected = set_of(first);
    CHECK(load_in_transactions(*storage, first).stored == expected.size());
    CHECK(stored_in(*storage, kUsers) == expected);
    const std::size_t before = expected.size();
    expected.merge(set_of(second));
    const LoadCounts counts = load_in_transactions(*storage, second);
    CHECK(counts.stored == expected.size() - before);
    CHECK(counts.stored + counts.duplicates == second.size());
    CHECK(stored_in(*storage, kUsers) == expected);
    CHECK(load_in_transactions(*storage, second).stored == 0);
    CHECK(first_breach(*storage) == "");
  };
  SUBCASE("in one database") { check_at(PostgresDatabase(kTestMachine).url()); }
  SUBCASE("over several") { check_at(PostgresNodes().url()); }
}

TEST_CASE("postgres: a load changes more rows than go in one statement") {
  if (!has_postgres()) return;
  constexpr std::uint32_t kUsers = postgres::kKeysAtOnce + 100;
  const PostgresDatabase database(kTestMachine);
  StorageOptions options;
  options.edges_at_once = 3 * kUsers;
  const auto storage = open_storage(database.url(), options);
  std::vector<AuthorCard> cards;
  for (std::uint32_t number = 1; number <= kUsers; ++number) cards.push_back(card(number));
  rules::load_cards(*storage, cards, kStart);
  Edges all;
  for (std::uint32_t away = 1; away <= 2; ++away) {
    Edges edges;
    for (std::uint32_t i = 0; i < kUsers; ++i) {
      edges.push_back({UserNumber{1 + i}, UserNumber{1 + (i + away) % kUsers}});
    }
    all.insert(all.end(), edges.begin(), edges.end());
    const auto result = rules::load_edges(*storage, edges, kStart);
    CHECK(result.taken == edges.size());
    CHECK(result.counts.stored == edges.size());
  }
  CHECK(stored_in(*storage, kUsers) == set_of(all));
  CHECK(first_breach(*storage) == "");
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres: a large transaction of a load gives way to a writer who waits") {
  if (!has_postgres()) return;
  constexpr std::uint32_t kUsers = 40;
  Step when = Step::kLocked;
  SUBCASE("before it reads") {}
  SUBCASE("before it writes") { when = Step::kFetched; }
  SUBCASE("before it commits") { when = Step::kWritten; }
  const PostgresDatabase database(kTestMachine);
  std::thread writer;
  int transactions = 0;
  const auto other = open_storage(database.url());
  const auto storage =
      open_storage(database.url(), growing([&](Step step) {
                     if (step == Step::kCommitted) ++transactions;
                     if (step != when || transactions != 4 || writer.joinable()) return;
                     writer = std::thread([&other] {
                       const Change change = Publish{UserNumber{1}, "in between"};
                       other->write({&change, 1}, kStart);
                     });
                     CHECK(eventually([&] { return somebody_waits(database.url()); }));
                   }));
  sign_up(*other, kUsers);
  const Edges edges = random_edges(kUsers, 400, 3);
  const EdgeSet expected = set_of(edges);
  CHECK(load_in_transactions(*storage, edges).stored == expected.size());
  REQUIRE(writer.joinable());
  writer.join();
  // Three transactions of the load, the writer, and the load again.
  const auto topics = topics_in(*storage);
  const auto posted = std::ranges::find(topics, events::Topic::kPostCreated);
  CHECK(std::count(topics.begin(), posted, events::Topic::kLoadBatch) == 4);
  CHECK(stored_in(*storage, kUsers) == expected);
  CHECK(first_breach(*storage) == "");
}

TEST_SUITE_END();

TEST_CASE("postgres: a turn that gives way has written nothing") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  const auto connections =
      std::make_shared<postgres::Connections>(postgres::storage_address(database.url()));
  postgres::Cluster cluster(connections);
  bool waits = false;
  const auto home = connections->lend();
  postgres::TurnOptions options{.patience = std::chrono::seconds(5)};
  options.is_waited_for = [&] { return waits; };
  const auto turn = postgres::take_turn(cluster, *home, options);
  const postgres::GroupQuery asked{"select 1", {}};
  CHECK(turn->ask({&asked, 1}).front().number(0, 0) == 1);
  waits = true;
  CHECK_THROWS_AS((void)turn->ask({&asked, 1}), postgres::GaveWay);
  CHECK_THROWS_AS(turn->commit({}, turn->state(), 1), postgres::GaveWay);
}

TEST_CASE("postgres: a statement that says no leaves the others prepared") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  Connection connection({database.url()});
  for (int i = 0; i < 20; ++i) {
    connection.send("select 1");
    connection.send("select 1 / $1::int4", postgres::Params().int4(0));
    connection.send("select 2");
    CHECK_THROWS_AS(connection.receive(), postgres::PostgresError);
    CHECK(connection.run("select 3").number(0, 0) == 3);
  }
  // Once for nothing each, and these two.
  CHECK(connection.run("select count(*) from pg_prepared_statements").number(0, 0) <= 6);
}

TEST_CASE("postgres: users who are removed or blocked during a load are left out from then on") {
  if (!has_postgres()) return;
  constexpr std::uint32_t kUsers = 12;
  const PostgresDatabase database(kTestMachine);
  const auto other = open_storage(database.url());
  sign_up(*other, kUsers);
  const UserNumber gone{3};
  const std::vector<Change> changes{MarkRemoved{gone}, Relate{UserNumber{5}, UserNumber{6}}};
  const auto storage = open_storage(database.url(), growing());
  // The first four are stored before.
  const Edges edges{{UserNumber{1}, gone},          {UserNumber{5}, UserNumber{7}},
                    {UserNumber{7}, UserNumber{5}}, {UserNumber{2}, UserNumber{4}},
                    {UserNumber{2}, gone},          {UserNumber{6}, UserNumber{5}},
                    {UserNumber{5}, UserNumber{6}}, {gone, UserNumber{8}},
                    {UserNumber{5}, UserNumber{8}}, {UserNumber{6}, UserNumber{7}}};
  CHECK(rules::load_edges(*storage, edges, kStart).taken == 4);
  other->write(changes, kStart);
  const LoadCounts counts = load_in_transactions(*storage, std::span(edges).subspan(4));
  CHECK(counts.stored == 2);
  CHECK(counts.missing == 2);
  CHECK(counts.severed == 2);
  const EdgeSet stored = stored_in(*storage, kUsers);
  CHECK(stored.contains({UserNumber{5}, UserNumber{8}}));
  CHECK(stored.contains({UserNumber{6}, UserNumber{7}}));
  CHECK_FALSE(stored.contains({UserNumber{6}, UserNumber{5}}));
}

TEST_CASE("postgres: a load whose line is cut has stored whole transactions, and can be repeated") {
  if (!has_postgres()) return;
  constexpr std::uint32_t kUsers = 40;
  const Edges edges = random_edges(kUsers, 400, 4);
  const EdgeSet expected = set_of(edges);
  for (const Step last : {Step::kLocked, Step::kFetched, Step::kWritten}) {
    CAPTURE(static_cast<int>(last));
    const PostgresDatabase database(kTestMachine);
    int transactions = 0;
    const auto storage = open_storage(
        database.url(), growing([&](Step step) {
          if (step == Step::kCommitted) ++transactions;
          if (step != last || transactions != 5) return;
          ++transactions;
          Connection({database.url()})
              .run(
                  "select pg_terminate_backend(pid) from pg_stat_activity where datname ="
                  " current_database() and pid <> pg_backend_pid()");
        }));
    sign_up(*storage, kUsers);
    transactions = 0;
    CHECK_THROWS_AS(load_in_transactions(*storage, edges), Error);
    // 4, 8, 16, 32 and 64 of them, repeated ones included.
    CHECK(stored_in(*storage, kUsers) == set_of(std::span(edges).first(124)));
    CHECK(first_breach(*storage) == "");
    load_in_transactions(*storage, edges);
    CHECK(stored_in(*storage, kUsers) == expected);
    CHECK(first_breach(*storage) == "");
  }
}

TEST_CASE("postgres: transactions of a load grow while nobody waits and they are short") {
  constexpr std::int64_t kMs = 1'000'000;
  postgres::LoadPace pace(100, 1'000);
  CHECK(pace.edges() == 100);
  CHECK_FALSE(pace.gives_way());
  pace.committed(10 * kMs);
  CHECK(pace.edges() == 200);
  CHECK(pace.gives_way());
  pace.committed(2'100 * kMs);
  CHECK(pace.edges() == 200);
  pace.committed(4'100 * kMs);
  CHECK(pace.edges() == 100);
  for (int i = 0; i < 5; ++i) pace.committed(10 * kMs);
  CHECK(pace.edges() == 1'000);
  // Each time that somebody waits, it takes longer until larger ones are tried.
  for (const int calm : {4, 8, 16, 32, 64, 64}) {
    pace.gave_way();
    CHECK(pace.edges() == 100);
    CHECK_FALSE(pace.gives_way());
    for (int i = 1; i < calm; ++i) pace.committed(10 * kMs);
    CHECK(pace.edges() == 100);
    pace.committed(10 * kMs);
    CHECK(pace.edges() == 200);
  }
}

}  // namespace chirp::test::postgres_loads_test
