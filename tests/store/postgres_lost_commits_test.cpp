// Goal: a caller that loses the connection during a commit learns truly whether it was made.
// Method: a line that is cut at the commit: before the server has it, or after it and before the
// answer.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "store/postgres/storage.h"
#include "store/postgres/users/users.h"
#include "tests/support/cut_line.h"
#include "tests/support/directories.h"
#include "tests/support/postgres_server.h"
#include "tests/support/storage_contract.h"
#include "tests/support/thrown.h"

namespace chirp::test::postgres_lost_commits_test {
namespace {

struct At {
  std::string_view words;
  Cut::When when;
};

// The statement itself, with what ends it.
constexpr std::string_view kCommitted("\0commit\0", 8);

// Cuts the first message with the words of the first, then the first with those of the second, and
// so on: statements are said once a connection, when it first runs them.
CutPlan one_by_one(std::vector<At> cuts) {
  return [cuts = std::move(cuts), next = std::size_t{0}](const Message& message) mutable {
    if (next == cuts.size() || message.bytes.find(cuts[next].words) == std::string_view::npos) {
      return Cut{};
    }
    return Cut{cuts[next++].when};
  };
}

// A database, once beside the line and once through it.
struct World {
  PostgresDatabase database{kDirectoryMachine};
  CutLine line{database.url(), [](const Message& /*message*/) { return Cut{}; }};
  postgres::Connections plain{postgres::storage_address(database.url())};
  postgres::Connections cut{postgres::storage_address(line.through(database.url()))};
  postgres::PostgresUserDirectory users{cut, kDirectoryMachine};
  postgres::PostgresUserDirectory others{plain, kDirectoryMachine};
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres users: a commit whose answer is lost is a commit") {
  if (!has_postgres()) return;
  World world;
  world.line.plan(one_by_one({{kCommitted, Cut::When::kAfter}}));
  const User mira = world.users.add(named("mira"), kNow);
  CHECK(world.others.find_name("mira") == mira);
  CHECK(world.users.find_name("mira") == mira);
  CHECK(world.users.add(named("yuki"), kNow).number == UserNumber{2});
  CHECK(world.others.problems().empty());
}

TEST_CASE("postgres users: a commit that the server did not receive is not made") {
  if (!has_postgres()) return;
  World world;
  world.line.plan(one_by_one({{kCommitted, Cut::When::kBefore}}));
  CHECK(code_of([&] { world.users.add(named("mira"), kNow); }) == ErrorCode::kUnavailable);
  CHECK_FALSE(world.others.find_name("mira"));
  CHECK(world.users.add(named("mira"), kNow).number == UserNumber{1});
  CHECK(world.others.problems().empty());
}

TEST_CASE("postgres: losing the line at a commit, and at the question about it, is asked again") {
  if (!has_postgres()) return;
  World world;
  const auto storage = postgres::open_storage(world.line.through(world.database.url()));
  world.line.plan(one_by_one({{"insert into commits", Cut::When::kAfter},
                              {"select writer from commits", Cut::When::kBefore}}));
  const Change change = PutCard{card(1)};
  const auto before = storage->version();
  storage->write({&change, 1}, kStart);
  CHECK(storage->version() == before + 1);

  world.line.plan(one_by_one({{"insert into commits", Cut::When::kBefore},
                              {"select writer from commits", Cut::When::kAfter}}));
  const Change other = PutCard{card(2)};
  CHECK(code_of([&] { storage->write({&other, 1}, kStart); }) == ErrorCode::kUnavailable);
  CHECK(storage->version() == before + 1);
}

TEST_CASE("postgres: a change is kept if the sweep after it fails") {
  if (!has_postgres()) return;
  World world;
  std::chrono::steady_clock::time_point now{};
  const auto storage = postgres::open_storage(world.line.through(world.database.url()),
                                              {.now = [&now] { return now; }});
  const Change change = PutCard{card(1)};
  storage->write({&change, 1}, kStart);
  now += 2 * postgres::kSweepAfter;
  std::atomic<bool> was_cut = false;
  world.line.plan([&was_cut](const Message& message) -> Cut {
    if (message.bytes.find("delete from pins") == std::string_view::npos) return {};
    was_cut = true;
    return {Cut::When::kBefore};
  });
  const Change other = PutCard{card(2)};
  CHECK(code_of([&] { storage->write({&other, 1}, kStart); }) == std::nullopt);
  CHECK(was_cut.load());
}

TEST_SUITE_END();

}  // namespace chirp::test::postgres_lost_commits_test
