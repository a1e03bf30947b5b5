// Goal: what a snapshot says is the newest state and whole, whichever copy it is read from, and
// however far the copies are behind; they answer what they can, and are left alone while they
// can't. Method: a server with streaming copies, one as it comes, one delayed, one that is stopped;
// stores that read from them beside writers, the in-memory model beside one of them, and the counts
// of who was asked.
#include "tests/support/postgres_copies.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/feed/home_feed.h"
#include "core/feed/page.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"
#include "store/postgres/cluster/copies.h"
#include "store/postgres/storage.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_clock.h"
#include "tests/support/seeds.h"
#include "tests/support/storage_contract.h"
#include "tests/support/storage_twins.h"

namespace chirp::test::postgres_copies_test {
namespace {

using postgres::Commit;
using postgres::Connection;
using postgres::Copies;
using postgres::Home;
using postgres::PostgresStorage;
using postgres::StorageOptions;

std::vector<Outcome> write(Storage& storage, const std::vector<Change>& changes) {
  return storage.write(changes, kStart);
}

std::size_t posts_in(const Snapshot& snapshot) {
  return reads::rows_above<tables::Posts>(snapshot, {kBelowAllPosts}, kAll).size();
}

// What a page shows, a line for each item.
std::vector<std::string> page_of(const Storage& storage, std::uint32_t viewer) {
  const FakeClock clock{kStart};
  const auto snapshot = storage.snapshot();
  feed::PageRequest request;
  request.viewer = UserNumber{viewer};
  request.limit = 20;
  feed::Page page = feed::home_feed(*snapshot, request, clock);
  feed::hydrate(*snapshot, request.viewer, page.items);
  std::vector<std::string> lines;
  for (const feed::FeedItem& item : page.items) {
    lines.push_back(fmt::format("{} {} {} {} {} {}", item.entry.value, item.post->id.value,
                                item.post->text, item.author->username, item.reposted_by.size(),
                                static_cast<int>(item.source)));
  }
  return lines;
}

// A steady clock that the test moves.
class StandingClock {
 public:
  using Time = std::chrono::milliseconds;
  [[nodiscard]] Copies::Now now() const {
    return [at = at_] { return std::chrono::steady_clock::time_point(at->load()); };
  }
  [[nodiscard]] StorageOptions options() const { return {now(), {}}; }
  void pass(Time time) { at_->store(at_->load() + time); }

 private:
  std::shared_ptr<std::atomic<Time>> at_ =
      std::make_shared<std::atomic<Time>>(std::chrono::hours(1));
};

// What a copy is asked, outside of a store.
struct Asking {
  explicit Asking(const CopiedDatabase& database,
                  std::chrono::milliseconds patience = postgres::kCopyPatience)
      : home({database.url()}), copies(home, clock.now(), patience) {
    const auto connection = home.connect(nullptr);
    const auto newest = connection->run("select n, writer from commits order by n desc limit 1");
    commit = {newest.number(0, 0), newest.number(0, 1)};
  }
  std::optional<std::vector<postgres::Result>> ask(const std::string& sql) {
    const postgres::GroupQuery asked{sql, {}};
    return copies.ask(1, commit, {&asked, 1});
  }
  [[nodiscard]] postgres::CopyUse use() const { return copies.uses().at(1); }

  StandingClock clock;
  Home home;
  Copies copies;
  Commit commit;
};

}  // namespace

TEST_CASE("postgres copies: a page asks home for its number, and a copy for all else") {
  if (!has_postgres()) return;
  const CopiedDatabase database;
  {
    const auto storage = postgres::open_storage(database.home_url());
    sign_up(*storage, 5);
    for (std::uint32_t author = 2; author <= 5; ++author) {
      const UserNumber user{author};
      const auto outcomes = write(*storage, {Follow{UserNumber{1}, user}, Publish{user, "text"}});
      write(*storage, {React{UserNumber{1}, outcomes[1].post}, Repost{user, outcomes[1].post}});
    }
    CHECK(storage->copies().empty());
  }
  database.catch_up();
  const auto alone = postgres::open_storage(database.home_url());
  const auto expected = page_of(*alone, 1);
  REQUIRE(expected.size() > 3);

  const auto storage = database.open();
  (void)storage->version();
  for (int again = 0; again < 2; ++again) {
    const Asks before = asks_of(*storage);
    const std::uint64_t trips = storage->round_trips();
    CHECK(page_of(*storage, 1) == expected);
    const Asks asks = asks_of(*storage);
    CHECK(asks.answered - before.answered == asks.rounds - before.rounds);
    CHECK(asks.rounds - before.rounds > 0);
    CHECK(asks.rounds - before.rounds <= 4);
    // The first of all connects, and learns what it is connected to.
    CHECK(storage->round_trips() - trips - (asks.rounds - before.rounds) <= (again == 0 ? 2 : 1));
  }
  // Changes and marks of reading are home's.
  const Asks before = asks_of(*storage);
  const auto snapshot = storage->snapshot();
  (void)reads::rows_above<tables::Readers>(*snapshot, {kNobody}, kAll);
  CHECK(asks_of(*storage).rounds - before.rounds <= 1);  // who is being removed, on the way
  const Asks marks = asks_of(*storage);
  write(*storage, {Publish{UserNumber{2}, "more"}});
  (void)storage->version();
  CHECK(asks_of(*storage).rounds == marks.rounds);
  CHECK(storage->copies().front().rounds == 0);
}

TEST_CASE("postgres copies: one that lags is asked again and again, at growing distances") {
  if (!has_postgres()) return;
  const CopiedDatabase database({{"recovery_min_apply_delay=1h"}});
  StandingClock clock;
  const auto storage = database.open(clock.options());
  sign_up(*storage, 2);
  for (int i = 0; i < 5; ++i) CHECK(page_of(*storage, 1).empty());
  CHECK(asks_of(*storage).rounds == 1);
  CHECK(asks_of(*storage).answered == 0);
  const auto use = storage->copies().at(1);
  CHECK(use.left_alone.find("lags") != std::string::npos);
  CHECK(use.left_for == postgres::kLagPause.least);
  auto pause = postgres::kLagPause.least;
  for (std::uint64_t asked = 2; asked < 16; ++asked) {
    clock.pass(pause - std::chrono::milliseconds(1));
    (void)posts_in(*storage->snapshot());
    CHECK(asks_of(*storage).rounds == asked - 1);
    clock.pass(std::chrono::milliseconds(1));
    for (int i = 0; i < 3; ++i) (void)posts_in(*storage->snapshot());
    CHECK(asks_of(*storage).rounds == asked);
    pause = std::min(pause * 2, postgres::kLagPause.most);
  }
  CHECK(pause == postgres::kLagPause.most);
  // What it has replayed it answers.
  Asking asking(database);
  asking.commit = {0, 0};
  CHECK(asking.ask("select 1"));
}

TEST_CASE("postgres copies: one that is away or silent is left alone, and asked when it is back") {
  if (!has_postgres()) return;
  CopiedDatabase database;
  Asking asking(database, std::chrono::seconds(1));
  CHECK(asking.ask("select 1"));
  CHECK(asking.use().left_alone.empty());
  CHECK_FALSE(asking.ask("select pg_sleep(100)"));
  CHECK(asking.use().left_alone.find("silent") != std::string::npos);
  CHECK(asking.use().left_for == postgres::kAwayPause.least);
  CHECK_FALSE(asking.copies.choose());
  asking.clock.pass(postgres::kAwayPause.least);
  CHECK(asking.copies.choose() == 1);
  // Whoever else comes meanwhile does not try, too.
  CHECK_FALSE(asking.copies.choose());
  database.copy().stop_at_once();
  CHECK_FALSE(asking.ask("select 1"));
  CHECK_FALSE(asking.use().left_alone.empty());
  CHECK(asking.use().left_for == 2 * postgres::kAwayPause.least);
  database.copy().start();
  asking.clock.pass(2 * postgres::kAwayPause.least);
  CHECK(asking.copies.choose() == 1);
  CHECK(asking.ask("select 1"));
  CHECK(asking.copies.choose() == 1);
  // One that has another commit of that number follows another home.
  ++asking.commit.writer;
  CHECK_FALSE(asking.ask("select 1"));
}

TEST_CASE("postgres copies: a snapshot goes on without its copy, and without home") {
  if (!has_postgres()) return;
  CopiedDatabase database;
  StandingClock clock;
  const auto storage = database.open(clock.options());
  sign_up(*storage, 2);
  write(*storage, {Publish{UserNumber{1}, "first"}});
  database.catch_up();
  const auto snapshot = storage->snapshot();
  CHECK(posts_in(*snapshot) == 1);
  const Asks asks = asks_of(*storage);
  CHECK(asks.answered > 0);
  write(*storage, {Publish{UserNumber{1}, "second"}});
  database.catch_up();
  // What it keeps for long is said to home, whoever it is read from.
  clock.pass(std::chrono::seconds(20));
  CHECK(posts_in(*snapshot) == 1);
  CHECK(asks_of(*storage).answered > asks.answered);
  {
    Connection home({database.home_url()});
    CHECK(home.run("select count(*) from pins").number(0, 0) == 1);
  }
  database.home().stop_at_once();
  CHECK(posts_in(*snapshot) == 1);
  CHECK_THROWS_AS((void)storage->snapshot()->state(), Error);
  database.home().start();
  database.copy().stop_at_once();
  CHECK(posts_in(*snapshot) == 1);
  CHECK(posts_in(*storage->snapshot()) == 2);
  CHECK_FALSE(storage->copies().at(1).left_alone.empty());
}

TEST_CASE("postgres copies: a store that reads from copies is the in-memory model") {
  if (!has_postgres()) return;
  static const CopiedDatabase* shared = nullptr;
  static const PostgresStorage* last = nullptr;
  class OnCopies final : public TestStore {
   public:
    OnCopies() { last = storage_.get(); }
    [[nodiscard]] Storage& storage() override { return *storage_; }

   private:
    std::unique_ptr<PostgresStorage> storage_ = shared->open();
  };
  constexpr int kSteps = 40;
  const CopiedDatabase database({{}, {}});
  shared = &database;
  const StoreKind kind{"copies",
                       []() -> std::unique_ptr<TestStore> { return std::make_unique<OnCopies>(); }};
  const std::uint64_t seed = first_seed();
  INFO("CHIRP_SEED=" << seed << " shows it again");
  Twins twins(store_kinds().front(), kind, seed);
  for (int step = 0; step < kSteps; ++step) {
    const auto found = twins.step();
    CAPTURE(twins.trail());
    CAPTURE(step);
    REQUIRE(found == std::vector<std::string>{});
  }
  CHECK(asks_of(*last, 0).answered > 0);
  CHECK(asks_of(*last, 1).answered > 0);
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres copies: a question that replay cancels is answered by home") {
  if (!has_postgres()) return;
  const CopiedDatabase database({{"max_standby_streaming_delay=0"}});
  const auto storage = postgres::open_storage(database.home_url());
  sign_up(*storage, 50);
  database.catch_up();
  Asking asking(database, std::chrono::seconds(30));
  CHECK(asking.ask("select 1"));
  bool has_answered = true;
  std::thread reader(
      [&] { has_answered = asking.ask("select count(*) from cards, pg_sleep(30)").has_value(); });
  Connection copy({database.copy_url()});
  CHECK(eventually([&] {
    return copy.run(
                   "select count(*) from pg_stat_activity where query like '%pg_sleep(30)%'"
                   " and state = 'active' and pid <> pg_backend_pid()")
               .number(0, 0) != 0;
  }));
  Connection home({database.home_url()});
  home.run("delete from cards where usr > 1");
  home.script("vacuum cards");
  reader.join();
  CHECK_FALSE(has_answered);
  // It goes on being one to ask.
  CHECK(asking.use().left_alone.empty());
  CHECK(asking.ask("select 1"));
}

TEST_CASE("postgres copies: a reader sees all acknowledged changes, and no half of one") {
  if (!has_postgres()) return;
  constexpr int kRounds = 150;
  CopiedDatabase database({{}, {"recovery_min_apply_delay=1h"}, {}});
  const auto first = database.open();
  sign_up(*first, 4);
  std::atomic<std::uint64_t> answered = 0;
  std::atomic<std::uint64_t> asked = 0;
  std::atomic<bool> is_done = false;
  std::thread writer([&] {
    const auto storage = database.open();
    for (int round = 0; round < kRounds; ++round) {
      const UserNumber user{1 + static_cast<std::uint32_t>(round) % 4};
      write(*storage, {Publish{user, "one"}, Publish{user, "two"}});
      answered += 2;
    }
    is_done = true;
  });
  std::vector<std::string> wrong(2);
  std::atomic<std::uint64_t> read_since_stop = 0;
  std::atomic<bool> is_stopped = false;
  const auto read = [&](std::size_t who) {
    const auto storage = database.open();
    while (wrong[who].empty() && (!is_done || read_since_stop < 5)) {
      const bool is_after = is_stopped;
      const std::uint64_t before = answered;
      const auto snapshot = storage->snapshot();
      const std::size_t posts = posts_in(*snapshot);
      std::size_t created = 0;
      for (const events::Event& event : reads::events(*snapshot, Sequence{1}, kAll)) {
        if (event.topic == events::Topic::kPostCreated) ++created;
      }
      if (posts < before) wrong[who] = fmt::format("{} posts of {}", posts, before);
      if (posts % 2 != 0 || created != posts) {
        wrong[who] = fmt::format("torn: {} posts, {} events", posts, created);
      }
      if (is_after) ++read_since_stop;
    }
    asked += asks_of(*storage, 1).rounds;
  };
  std::thread one(read, 0);
  std::thread two(read, 1);
  // In the middle of it a copy goes.
  CHECK(eventually([&] { return answered > kRounds; }));
  database.copy(2).stop_at_once();
  is_stopped = true;
  writer.join();
  one.join();
  two.join();
  CHECK(wrong == std::vector<std::string>(2));
  CHECK(breaches(*first->snapshot()).empty());
  // The one that is delayed was left alone nearly always.
  CHECK(asked > 0);
  CHECK(asked < 60);
  database.catch_up();
  const auto storage = database.open();
  CHECK(eventually([&] {
    CHECK(posts_in(*storage->snapshot()) == answered);
    return asks_of(*storage, 0).answered > 0;
  }));
}

TEST_SUITE_END();

}  // namespace chirp::test::postgres_copies_test
