// Goal: users in a database are one world for all who have it open: each name is somebody's once,
// the number of the last change moves with what somebody may have read and with nothing else, and a
// search looks at few rows.
// Method: directories over one database, in threads and one after the other; the database's own
// counts of round trips and of tables that were read through.
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/limits.h"
#include "store/postgres/storage.h"
#include "store/postgres/users/users.h"
#include "tests/support/directories.h"
#include "tests/support/postgres_server.h"
#include "tests/support/thrown.h"

namespace chirp::test::postgres_users_test {
namespace {

using postgres::Connections;
using postgres::PostgresUserDirectory;

constexpr MediaFacts kFacts{MediaType::kPng, 1, 1};

// One of those who have the database open.
struct Opened {
  explicit Opened(const PostgresDatabase& database, std::size_t connections = 2)
      : all(postgres::storage_address(database.url()), connections) {}

  // Whether users_version has moved since the last look.
  [[nodiscard]] bool moved() {
    const auto before = std::exchange(version, users.users_version());
    return version != before;
  }
  void run(const std::string& sql) { (void)all.lend()->run(sql); }
  [[nodiscard]] std::int64_t number(const std::string& sql) {
    return all.lend()->run(sql).number(0, 0);
  }

  Connections all;
  PostgresUserDirectory users{all, kDirectoryMachine};
  std::uint64_t version = 0;
};

LoadedUser called(const std::string& name, const std::string& display_name) {
  LoadedUser user;
  user.username = name;
  user.display_name = display_name;
  return user;
}

}  // namespace

TEST_CASE("postgres users: any change to a token or a user moves their version, by any process") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kDirectoryMachine);
  Opened mine(database);
  Opened other(database);
  const UserNumber mira = mine.users.add(named("mira"), kNow).number;
  (void)mine.moved();
  for (PostgresUserDirectory* users : {&mine.users, &other.users}) {
    CAPTURE(users == &other.users);
    CHECK_FALSE(mine.moved());
    const std::string token = users->add_token(mira, kNow, std::nullopt);
    CHECK_FALSE(mine.moved());
    CHECK(users->revoke_token(token));
    CHECK(mine.moved());
    CHECK_FALSE(users->revoke_token(token));
    CHECK_FALSE(mine.moved());
    UserEdit edit;
    edit.bio = "Gardens.";
    (void)users->edit(mira, edit);
    CHECK(mine.moved());
    CHECK_FALSE(users->replace_hash(mira, "none", "other"));
    CHECK_FALSE(mine.moved());
    edit.password_hash = "$2b$04$" + std::string(53, 'u');
    (void)users->edit(mira, edit);
    CHECK(mine.moved());
    CHECK(users->replace_hash(mira, *edit.password_hash, "$2b$04$" + std::string(53, 'v')));
    CHECK(mine.moved());
    users->begin_removal(mira);
    CHECK(mine.moved());
    users->cancel_removal(mira);
    CHECK(mine.moved());
    const UserNumber yuki = users->add(named("yuki"), kNow).number;
    CHECK_FALSE(mine.moved());
    CHECK(users->remove(yuki));
    CHECK(mine.moved());
    (void)load_one(*users, loaded(users == &other.users ? 7 : 8));
    CHECK(mine.moved());
  }
  CHECK_FALSE(mine.users.version());
  mine.users.tell_version([&] { return std::optional(mine.version); });
  CHECK(mine.users.version() == mine.version);
}

TEST_CASE("postgres users: what only adds leaves their version as it is") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kDirectoryMachine);
  Opened mine(database);
  const UserNumber yuki = mine.users.add(named("yuki"), kNow).number;
  (void)mine.moved();
  mine.users.settle_cards(mine.users.due_cards(10));
  const Upload upload = mine.users.media().put(yuki, kFacts, "bytes", kNow);
  mine.users.media().touch({&upload.id, 1}, Time{kNow.ms + 10});
  for (std::size_t i = 0; i < limits::kSessionsMax; ++i) {
    (void)mine.users.add_token(yuki, kNow, Time{kNow.ms + 1000});
  }
  CHECK_FALSE(mine.moved());
  // One more than are kept takes the oldest away.
  (void)mine.users.add_token(yuki, kNow, Time{kNow.ms + 1000});
  CHECK(mine.moved());
}

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres users: if many want one name at once, one gets it, and all get their own") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kDirectoryMachine);
  constexpr std::uint32_t kThreads = 8;
  constexpr std::uint32_t kRounds = 10;
  std::atomic<std::uint32_t> got{0};
  std::atomic<std::uint32_t> other_errors{0};
  const auto sign_up = [&](std::uint32_t thread) {
    Opened mine(database, 1);
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      for (const std::string& name :
           {fmt::format("name{}", round), fmt::format("own{}_{}", thread, round)}) {
        const auto failed = code_of([&] { (void)mine.users.add(named(name), kNow); });
        if (!failed) ++got;
        const bool is_taken = failed == ErrorCode::kAlreadyExists && name.starts_with("name");
        if (failed && !is_taken) ++other_errors;
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kThreads; ++i) threads.emplace_back(sign_up, i);
  for (std::thread& thread : threads) thread.join();
  constexpr std::uint32_t kUsersInAll = kRounds + kThreads * kRounds;
  CHECK(got == kUsersInAll);
  CHECK(other_errors == 0);
  Opened mine(database);
  CHECK(mine.users.count() == kUsersInAll);
  CHECK(mine.users.last_number() == UserNumber{kUsersInAll});
  CHECK(mine.users.problems().empty());
}

TEST_SUITE_END();

TEST_CASE("postgres users: a holder reads those of one moment") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kDirectoryMachine);
  Opened mine(database);
  Opened other(database);
  const UserNumber ada = other.users.add(named("ada"), kNow).number;
  const UserNumber bob = other.users.add(named("bob"), kNow).number;
  mine.users.hold();
  other.users.add(named("cyd"), kNow);
  UserEdit edit;
  edit.bio = "new";
  other.users.edit(ada, edit);
  other.users.remove(bob);
  CHECK(other.users.count() == 2);
  CHECK(mine.users.find(ada)->bio.empty());
  CHECK(mine.users.find_name("bob"));
  CHECK_FALSE(mine.users.find_name("cyd"));
  CHECK(mine.users.count() == 2);
  CHECK(mine.users.scan(kNobody, 9).size() == 2);
}

TEST_CASE("postgres users: what PostgreSQL has no text for is nobody's") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kDirectoryMachine);
  Opened mine(database);
  NewUser mira = named("mira");
  mira.email = "mira@example.org";
  mira.display_name = "Zoe";
  mine.users.add(mira, kNow);
  for (const std::string& odd :
       {std::string("mira\0", 5), std::string("\xff\xfe\xfd"), std::string("\xc3")}) {
    CAPTURE(odd.size());
    CHECK_FALSE(mine.users.find_name(odd));
    CHECK_FALSE(mine.users.find_old_name(odd, kNow));
    CHECK_FALSE(mine.users.find_email(odd));
    UserQuery query;
    query.match = odd;
    CHECK(mine.users.list(query).users.empty());
    query = {};
    query.email = odd;
    CHECK(mine.users.list(query).users.empty());
    CHECK_FALSE(mine.users.revoke_session(UserNumber{1}, odd));
  }
}

TEST_CASE("postgres users: calls take as few round trips as they need") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kDirectoryMachine);
  Opened mine(database, 1);
  PostgresUserDirectory& users = mine.users;
  (void)users.count();  // connects
  const auto trips = [&](const auto& call) {
    const std::uint64_t before = mine.all.round_trips();
    call();
    return mine.all.round_trips() - before;
  };
  UserNumber mira;
  std::string token;
  CHECK(trips([&] { mira = users.add(named("mira"), kNow).number; }) == 4);
  CHECK(trips([&] { (void)users.find(mira); }) == 1);
  CHECK(trips([&] { (void)users.find_name("mira"); }) == 1);
  CHECK(trips([&] { token = users.add_token(mira, kNow, Time{kNow.ms + 1}); }) == 1);
  CHECK(trips([&] { (void)users.token_owner(token, kNow); }) == 1);
  CHECK(trips([&] { (void)users.list({}); }) == 1);
  UserEdit edit;
  edit.bio = "Gardens.";
  edit.display_name = "Mira";
  CHECK(trips([&] { (void)users.edit(mira, edit); }) == 3);
  CHECK(trips([&] { (void)users.media().put(mira, kFacts, "bytes", kNow); }) == 3);
  std::vector<LoadedUser> many;
  for (std::uint64_t source = 0; source < 1000; ++source) many.push_back(loaded(source));
  CHECK(trips([&] { (void)users.load(many, kNow); }) <= 10);
}

TEST_CASE("postgres users: a stranger's search looks at few rows, whatever is looked for") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kDirectoryMachine);
  Opened mine(database, 1);
  constexpr int kCrowd = 5000;
  std::vector<LoadedUser> crowd;
  for (int i = 0; i < kCrowd; ++i) {
    crowd.push_back(called(fmt::format("crowd{}", i), fmt::format("大家 Common Name {}", i)));
  }
  crowd.push_back(called("mira", "Élodie 王伟国"));
  mine.users.load(crowd, kNow);
  mine.run("analyze users");
  // A connection reports its statistics when it is asked to.
  const auto looked_at = [&](const std::string& match, bool quick) {
    const std::string sql =
        "select seq_tup_read + idx_tup_fetch from pg_stat_user_tables where relname = 'users'";
    mine.run("select pg_stat_force_next_flush()");
    const std::int64_t before = mine.number(sql);
    UserQuery query;
    query.match = match;
    query.quick = quick;
    (void)code_of([&] { (void)mine.users.list(query); });
    mine.run("select pg_stat_force_next_flush()");
    return mine.number(sql) - before;
  };
  // A walk past everybody shows that rows are counted.
  CHECK(looked_at("ÿ", false) > kCrowd);
  // Those who may be looked at, for the words and again for the phrase, the rest of their page, and
  // those who are shown.
  constexpr std::int64_t kFew = 2 * limits::kMatchCandidatesMax + 200;
  static_assert(kFew < kCrowd / 2);
  for (const char* match : {"mir", "王伟国", "lodie", "nobody at all", "crowd4999", "m", "él",
                            "王伟", "owd", "Common Name", "nam com", "c"}) {
    CAPTURE(match);
    CHECK(looked_at(match, true) < kFew);
  }
  UserQuery query;
  query.quick = true;
  query.match = "王伟国";
  REQUIRE(mine.users.list(query).users.size() == 1);
  CHECK(mine.users.list(query).users.front().username == "mira");
}

TEST_CASE("postgres users: what is derived is checked against the rows, and made again") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kDirectoryMachine);
  Opened mine(database);
  const User mira = mine.users.add(named("mira"), kNow);
  mine.users.add(named("yuki"), kNow);
  CHECK(mine.users.problems().empty());
  SUBCASE("what parts of names are looked for in") {
    mine.run("update users set searched = 'zoe' where username = 'mira'");
  }
  SUBCASE("the number of users") { mine.run("update users_state set present = 7"); }
  SUBCASE("the floor of ids") { mine.run("update users_state set last_id = 5"); }
  SUBCASE("the last number") { mine.run("update users_state set last_number = 1"); }
  SUBCASE("the last note of a card") { mine.run("update users_state set last_due = 1"); }
  CHECK_FALSE(mine.users.problems().empty());
  mine.users.rebuild_indexes();
  CHECK(mine.users.problems().empty());
  CHECK(mine.users.count() == 2);
  CHECK(mine.users.add(named("zoe"), kNow).number == UserNumber{3});
  UserQuery query;
  query.match = "mir";
  CHECK(mine.users.list(query).users == std::vector{mira});
}

TEST_CASE("postgres users: a row that breaks the rules of names is reported as damage") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kDirectoryMachine);
  Opened mine(database);
  const UserNumber mira = mine.users.add(named("mira"), kNow).number;
  mine.users.add(named("yuki"), kNow);
  mine.run("update users set username = 'no name' where number = 1");
  CHECK(code_of([&] { (void)mine.users.find(mira); }) == ErrorCode::kCorrupt);
  CHECK(mine.users.problems().size() == 1);
  CHECK(mine.users.find_name("yuki"));
}

TEST_CASE("postgres users: the database holds hashes of tokens alone") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kDirectoryMachine);
  Opened mine(database);
  const UserNumber mira = mine.users.add(named("mira"), kNow).number;
  const std::string token = mine.users.add_token(mira, kNow, std::nullopt);
  const std::string row =
      mine.all.lend()->run("select row_to_json(t)::text from tokens t").text(0, 0);
  CHECK(row.find(token) == std::string::npos);
  CHECK(mine.users.token_owner(token, kNow) == mira);
}

}  // namespace chirp::test::postgres_users_test
