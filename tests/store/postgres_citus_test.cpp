// Goal: with Citus a store is right while its shards move and its servers stop, and a database that
// can't be spread is refused; versions of Citus are judged by one table.
// Method: a coordinator and three workers of the test's own, where CHIRP_CITUS names their
// programs; refusals on a server without Citus.
#include <atomic>
#include <string>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/reads.h"
#include "store/postgres/cluster/citus_versions.h"
#include "store/postgres/cluster/places.h"
#include "store/postgres/storage.h"
#include "tests/support/citus.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/source_tree.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using postgres::open_storage;

constexpr std::uint32_t kPeople = 12;

// A batch of all buckets that changes nothing in the end.
void write_round(Storage& storage) {
  std::vector<Change> there;
  std::vector<Change> back;
  for (std::uint32_t user = 2; user <= kPeople; ++user) {
    there.emplace_back(Follow{UserNumber{1}, UserNumber{user}});
    there.emplace_back(Publish{UserNumber{user}, "text"});
    back.emplace_back(Unfollow{UserNumber{1}, UserNumber{user}});
  }
  (void)storage.write(there, kStart);
  (void)storage.write(back, kStart);
}

struct Stopping {
  std::atomic<bool>& done;
  ~Stopping() { done = true; }
};

// Moves the shards of each bucket to the next worker, one after the other.
constexpr std::string_view kMoves =
    "select s.shardid, n.nodename::text, n.nodeport::int4, t.nodename::text, t.nodeport::int4"
    " from bucket_map m cross join lateral"
    " (select get_shard_id_for_distribution_column('cards'::regclass, m.b) as shardid) s"
    " join pg_dist_placement p on p.shardid = s.shardid"
    " join pg_dist_node n on n.groupid = p.groupid join pg_dist_node t on t.groupid ="
    " (select min(w.groupid) from pg_dist_node w where w.shouldhaveshards"
    " and w.groupid <> n.groupid) order by m.bucket";

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("citus: a database without the extension is refused, and nothing is made in it") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  postgres::Connection connection({database.url()});
  try {
    postgres::init_citus(connection, {postgres::kFormatVersion, "test", kTestMachine, "citus"}, 16);
    FAIL("there is no Citus");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kInvalidArgument);
    CHECK(std::string(error.what()).find("create extension citus") != std::string::npos);
  }
  CHECK_FALSE(postgres::find_identity(connection).has_value());
}

TEST_CASE("citus: shards move under load, and nobody reads or writes anything wrong") {
  if (!has_citus()) return;
  const CitusDatabase database;
  const std::string& url = database.url();
  const auto writer = open_storage(url);
  const auto reader = open_storage(url);
  sign_up(*writer, kPeople);
  postgres::Connection coordinator({url});
  std::atomic<bool> done{false};
  // What is wrong at a step, said once; no step says anything when all is right.
  const auto until_done = [&done](const auto& step) {
    std::string wrong;
    while (!done && wrong.empty()) {
      try {
        wrong = step();
      } catch (const Error& error) {
        // A moment in which nobody knows where a shard is may be said, and nothing else.
        if (error.code() != ErrorCode::kUnavailable) wrong = error.what();
      }
    }
    done = true;
    return wrong;
  };
  std::string read_wrong;
  std::string write_wrong;
  std::jthread reading([&] { read_wrong = until_done([&] { return first_breach(*reader); }); });
  std::jthread writing([&] {
    write_wrong = until_done([&] {
      write_round(*writer);
      return std::string();
    });
  });
  {
    const Stopping stopping{done};  // even if a move is refused
    for (const char* const mode : {"force_logical", "block_writes"}) {
      const postgres::Result moves = coordinator.run(kMoves);
      CHECK(moves.rows() == 16);
      for (int row = 0; row < moves.rows() && !done; ++row) {
        coordinator.script(
            fmt::format("select citus_move_shard_placement({}, '{}', {}, '{}', {}, '{}')",
                        moves.number(row, 0), moves.text(row, 1), moves.number(row, 2),
                        moves.text(row, 3), moves.number(row, 4), mode));
      }
    }
  }
  reading.join();
  writing.join();
  CHECK(read_wrong == "");
  CHECK(write_wrong == "");
  CHECK(first_breach(*reader) == "");
}

TEST_CASE(
    "citus: a role that owns its database, and has no other right, makes a store and uses it") {
  if (!has_citus()) return;
  CitusServers servers;
  const std::string url = servers.make_database("world", "plain");
  {
    postgres::Connection connection({url});
    postgres::init_citus(connection, {postgres::kFormatVersion, "test", kTestMachine, "citus"}, 16);
  }
  const auto storage = open_storage(url);
  sign_up(*storage, kPeople);
  write_round(*storage);
  CHECK(first_breach(*storage) == "");
}

TEST_CASE("citus: a worker, then the coordinator, stop and come back, and all is as it was") {
  if (!has_citus()) return;
  CitusServers servers;
  const std::string url = servers.make_database("world");
  {
    postgres::Connection connection({url});
    postgres::init_citus(connection, {postgres::kFormatVersion, "test", kTestMachine, "citus"}, 16);
  }
  const auto storage = open_storage(url);
  sign_up(*storage, kPeople);
  write_round(*storage);
  for (PostgresServer* const server : {servers.workers().front().get(), &servers.coordinator()}) {
    server->stop_at_once();
    CHECK_THROWS_AS(write_round(*storage), Error);
    server->start();
    // The first to come finds lines that are cut.
    try {
      write_round(*storage);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kUnavailable);
    }
    write_round(*storage);
    CHECK(first_breach(*storage) == "");
  }
}

TEST_SUITE_END();

using postgres::CitusVerdict;
using postgres::verdict_on_citus;

TEST_CASE("citus: a version is judged by the table, and others by their age") {
  CHECK(verdict_on_citus("11.3.1") == CitusVerdict::kTooOld);
  CHECK(verdict_on_citus("12.0.9") == CitusVerdict::kTooOld);
  CHECK(verdict_on_citus("12.1.9") == CitusVerdict::kUntried);
  CHECK(verdict_on_citus("12.1.10") == CitusVerdict::kGood);
  CHECK(verdict_on_citus("15.0.0") == CitusVerdict::kUntried);
  for (const char* const grows : {"12.1.11", "12.1.12", "13.2.1", "13.2.2", "14.0.0", "14.0.1"}) {
    CHECK(verdict_on_citus(grows) == CitusVerdict::kPlansGrow);
    CHECK(postgres::remark_on_citus(grows).find("8824") != std::string::npos);
  }
  CHECK(postgres::remark_on_citus("12.1.10") == "");
  CHECK(postgres::remark_on_citus("12.0.0").find("12.1 or later") != std::string::npos);
}

TEST_CASE("citus: docs/scale-out.md has the table of versions") {
  const std::string text(source_file("docs/scale-out.md").text);
  CHECK(text.find(postgres::citus_versions_in_markdown()) != std::string::npos);
}

TEST_CASE("citus: sessions on workers plan each statement anew") {
  if (!has_postgres()) return;
  const PostgresNodes nodes(PostgresNodes::Rows::kWithBuckets);
  postgres::Connections home({nodes.url()});
  const postgres::Placement layout = postgres::layout_of(home, postgres::kCitus);
  const auto places =
      layout.places_in(home.lend()->run("select 'w1'::text, 5432::int4 from bucket_map"));
  REQUIRE(places.size() == layout.columns.size());
  CHECK(places.front().server == postgres::Server{"w1", "5432"});
  CHECK(places.front().settings.find("set plan_cache_mode = force_custom_plan") !=
        std::string::npos);
}

}  // namespace chirp::test
