// Goal: one look at how new a database is serves all who wait for it, no caller gets a look that
// may have begun before its call, and a request needs one look, but for its own writes. Method: a
// look that waits while others come; a database whose tables are locked meanwhile; writers and
// readers at once, each compared with what was acknowledged before; round trips counted.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "core/settings.h"
#include "store/postgres/cluster/published.h"
#include "store/postgres/cluster/schema.h"
#include "store/postgres/storage.h"
#include "store/postgres/users/users.h"
#include "tests/support/directories.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_clock.h"
#include "tests/support/postgres_server.h"
#include "tests/support/storage_contract.h"
#include "tests/support/stores.h"
#include "tests/support/thrown.h"

namespace chirp::test::postgres_published_test {
namespace {

constexpr std::size_t kMany = 12;

// The results of looks; the first waits, having seen, until the test lets it go on.
class SlowDatabase {
 public:
  Versions look() {
    std::unique_lock lock(mutex_);
    const Versions seen = now;
    const std::size_t number = ++looks_;
    changed_.notify_all();
    if (number == 1) changed_.wait(lock, [&] { return is_open_; });
    if (fails) throw Error(ErrorCode::kUnavailable, "away");
    return seen;
  }
  void wait_for_first() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return looks_ == 1; });
  }
  void commit() {
    const std::lock_guard lock(mutex_);
    ++now.store;
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] std::size_t looks() const {
    const std::lock_guard lock(mutex_);
    return looks_;
  }

  Versions now{1, 1};
  std::atomic<bool> fails = false;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t looks_ = 0;
  bool is_open_ = false;
};

void join(std::vector<std::thread>& threads) {
  for (std::thread& thread : threads) thread.join();
}

void set(Storage& storage, const char* value) {
  settings::set(storage, "http.rate_limit", value, FakeClock{kStart}.now());
}

// A database, and two processes at it.
struct World {
  PostgresDatabase database{kTestMachine};
  std::unique_ptr<postgres::PostgresStorage> mine = postgres::open_storage(database.url());
  std::unique_ptr<postgres::PostgresStorage> other = postgres::open_storage(database.url());

  template <class Call>
  [[nodiscard]] std::uint64_t trips(Call call) const {
    const std::uint64_t before = mine->round_trips();
    call();
    return mine->round_trips() - before;
  }
};

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres: one look is for all who wait, and began after they came") {
  SlowDatabase database;
  postgres::SharedLook shared([&] { return database.look(); });
  std::thread first([&] { CHECK(shared.get().store == 1); });
  database.wait_for_first();
  database.commit();
  std::vector<std::thread> late;
  for (std::size_t i = 0; i < kMany; ++i) {
    late.emplace_back([&] { CHECK(shared.get().store == 2); });
  }
  CHECK(eventually([&] { return shared.waiting() == kMany; }));
  database.let_go();
  first.join();
  join(late);
  CHECK(database.looks() == 2);
  database.commit();
  CHECK(shared.get().store == 3);
  CHECK(database.looks() == 3);
}

TEST_CASE("postgres: a look that fails fails for all who wait, and the next is another") {
  SlowDatabase database;
  postgres::SharedLook shared([&] { return database.look(); });
  std::thread first([&] { (void)code_of([&] { (void)shared.get(); }); });
  database.wait_for_first();
  database.fails = true;
  std::vector<std::thread> late;
  for (std::size_t i = 0; i < kMany; ++i) {
    late.emplace_back(
        [&] { CHECK(code_of([&] { (void)shared.get(); }) == ErrorCode::kUnavailable); });
  }
  CHECK(eventually([&] { return shared.waiting() == kMany; }));
  database.let_go();
  first.join();
  join(late);
  CHECK(database.looks() == 2);
  database.fails = false;
  CHECK(shared.get() == Versions{1, 1});
}

TEST_CASE("postgres: threads that ask at once share round trips") {
  if (!has_postgres()) return;
  const World world;
  postgres::Connections connections(postgres::storage_address(world.database.url()));
  postgres::PublishedState published(connections);
  const Versions expected = published.newest();
  const std::uint64_t before = connections.round_trips();
  postgres::Connection locking({world.database.url()});
  locking.begin();
  locking.send("lock table commits in access exclusive mode");
  (void)locking.receive();
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kMany; ++i) {
    threads.emplace_back([&] { CHECK(published.newest() == expected); });
  }
  // One of them is at the lock.
  CHECK(eventually([&] { return published.waiting() == kMany - 1; }));
  locking.rollback();
  join(threads);
  CHECK(connections.round_trips() - before == 2);
}

TEST_CASE("postgres: a reader that begins after another process's commit sees it") {
  if (!has_postgres()) return;
  const World world;
  constexpr int kCommits = 60;
  std::atomic<std::uint64_t> acknowledged = world.other->version();
  std::atomic<bool> over = false;
  std::atomic<int> stale = 0;
  std::vector<std::thread> readers;
  for (std::size_t i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!over) {
        const std::uint64_t least = acknowledged;
        if (world.mine->version() < least) ++stale;
      }
    });
  }
  for (int i = 0; i < kCommits; ++i) {
    set(*world.other, i % 2 == 0 ? "7" : "8");
    acknowledged = world.other->version();
  }
  over = true;
  join(readers);
  CHECK(stale == 0);
  CHECK(world.mine->version() == acknowledged);
}

TEST_SUITE_END();

TEST_CASE("postgres: a request looks once, and again after what this process has written") {
  if (!has_postgres()) return;
  const World world;
  (void)world.mine->version();
  CHECK(world.trips([&] {
    (void)world.mine->version();
    (void)world.mine->version();
  }) == 2);
  const RequestVersions request;
  const std::uint64_t seen = world.mine->version();
  CHECK(world.trips([&] {
    CHECK(world.mine->version() == seen);
    CHECK(world.mine->newest().store == seen);
  }) == 0);
  // Somebody else's commit is for the next request.
  set(*world.other, "7");
  CHECK(world.mine->version() == seen);
  {
    const RequestVersions next;
    CHECK(world.mine->version() == seen + 1);
  }
  CHECK(world.mine->version() == seen);
  set(*world.mine, "8");
  CHECK(world.mine->version() == seen + 2);
  // Another store of the same process has nothing to do with it.
  CHECK(world.trips([&] { CHECK(world.other->version() == seen + 2); }) == 0);
}

TEST_CASE("postgres: what a request writes in another thread is seen by it") {
  if (!has_postgres()) return;
  const World world;
  const RequestVersions request;
  const std::uint64_t seen = world.mine->version();
  std::thread([&] { set(*world.mine, "7"); }).join();
  CHECK(world.mine->version() == seen + 1);
}

TEST_CASE("postgres: a snapshot brings along what its request has seen from then on") {
  if (!has_postgres()) return;
  const World world;
  const RequestVersions request;
  const std::uint64_t seen = world.mine->version();
  set(*world.other, "7");
  const auto snapshot = world.mine->snapshot();
  CHECK(snapshot->state().version == seen + 1);
  CHECK(world.trips([&] { CHECK(world.mine->version() == seen + 1); }) == 0);
}

TEST_CASE("postgres: the version of users comes along with the store's, and moves with them") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  const auto connections =
      std::make_shared<postgres::Connections>(postgres::storage_address(database.url()));
  const auto storage =
      postgres::open_storage(connections, postgres::identity_of(*connections->lend()));
  postgres::PostgresUserDirectory users(*connections, kTestMachine);
  users.tell_version([&] { return std::optional(storage->newest().users); });
  const auto mira = users.add(named("mira"), kNow).number;
  const std::string token = users.add_token(mira, kNow, std::nullopt);
  const RequestVersions request;
  const auto seen = users.version();
  CHECK(seen == users.users_version());
  const std::uint64_t before = storage->round_trips();
  CHECK(users.version() == seen);
  (void)storage->version();
  CHECK(storage->round_trips() == before);
  CHECK(users.revoke_token(token));
  CHECK(users.version() == *seen + 1);
  // What a snapshot has brought along has both.
  users.set_leaving(mira, true);
  (void)storage->snapshot()->state();
  const std::uint64_t then = storage->round_trips();
  CHECK(users.version() == *seen + 2);
  CHECK(storage->round_trips() == then);
}

TEST_CASE("postgres: a request whose look has failed asks no second time") {
  if (!has_postgres()) return;
  PostgresServer server;
  postgres::Connection({server.url("postgres")}).script("create database world");
  {
    postgres::Connection connection({server.url("world")});
    postgres::Identity identity;
    identity.uuid = std::string(kDirectoryUuid);
    identity.machine = kTestMachine;
    (void)postgres::init(connection, identity);
  }
  const auto storage = postgres::open_storage(server.url("world"));
  const std::uint64_t seen = storage->version();
  server.stop_at_once();
  {
    const RequestVersions request;
    CHECK(code_of([&] { (void)storage->version(); }) == ErrorCode::kUnavailable);
    server.start();
    CHECK(code_of([&] { (void)storage->version(); }) == ErrorCode::kUnavailable);
  }
  CHECK(eventually([&] { return !code_of([&] { (void)storage->version(); }); }));
  CHECK(storage->version() == seen);
}

}  // namespace chirp::test::postgres_published_test
