// Goal: no caller waits forever for a server that does not answer. A session that does not read its
// request is given up, one that works is not; a caller with a deadline gets an error when it is
// over, which says whether a change may be made.
// Method: lines that deliver nothing any more; deadlines that are over; a statement that waits for
// a lock until another session has asked what it does.
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "core/ports/caller.h"
#include "store/postgres/cluster/connections.h"
#include "store/postgres/connection/patience.h"
#include "store/postgres/storage.h"
#include "tests/support/cut_line.h"
#include "tests/support/eventually.h"
#include "tests/support/postgres_server.h"
#include "tests/support/storage_contract.h"
#include "tests/support/stores.h"
#include "tests/support/thrown.h"

namespace chirp::test::postgres_silence_test {
namespace {

using postgres::Address;
using postgres::Connection;
using postgres::Connections;
using postgres::PostgresError;
using postgres::Step;
using postgres::StorageOptions;

constexpr std::chrono::milliseconds kSoon{1};
constexpr std::chrono::hours kLong{1};

// The first message with these words, and nothing behind it, is heard or answered.
CutPlan silent_at(std::string words, Cut::When when) {
  return [words = std::move(words), when, was = false](const Message& message) mutable {
    if (was || message.bytes.find(words) == std::string_view::npos) return Cut{};
    was = true;
    return Cut{.when = when, .is_silent = true};
  };
}

Address address(const std::string& url, std::chrono::milliseconds timeout) {
  return {.url = url + "&connect_timeout=3600",
          .waits = std::make_shared<postgres::Patience>(timeout, nullptr, kLong)};
}

// What is said, and of which field, of what fails while its caller has no time left.
struct Said {
  std::string text;
  std::string field;
};
template <class Call>
Said said_late(Call call) {
  const CallerDeadline over(0);
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kUnavailable);
    return {error.what(), error.field()};
  }
  return {};
}

}  // namespace

TEST_SUITE_BEGIN("threads");

TEST_CASE("postgres: a session that does not take up a statement is given up for another") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  CutLine line(database.url(), silent_at("select 7", Cut::When::kBefore));
  Connections connections(address(line.through(database.url()), kSoon));
  CHECK(connections.read([](Connection& connection) {
    return connection.run("select 7::int8").number(0, 0);
  }) == 7);

  line.plan(silent_at("select 8", Cut::When::kBefore));
  const auto lent = connections.lend();
  CHECK(code_of([&] { (void)lent->run("select 8::int8"); }) == ErrorCode::kUnavailable);
  CHECK(lent->broken());
  CHECK(lent->was_silent());
}

TEST_CASE("postgres: a statement may take long while the server works on it") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  std::atomic<int> looks = 0;
  const CutLine line(database.url(), [&looks](const Message& message) {
    if (message.bytes.find("from pg_stat_activity where pid") != std::string_view::npos) ++looks;
    return Cut{};
  });
  Connection holder({database.url()});
  holder.run("select pg_advisory_lock(1)");
  auto waits = address(line.through(database.url()), kSoon);
  // The lock is not what is bounded here.
  waits.settings = "set lock_timeout = 0";
  Connection waiter(waits);
  auto waiting = std::async(std::launch::async, [&] { waiter.run("select pg_advisory_lock(1)"); });
  CHECK(eventually([&] { return looks > 1; }));
  holder.run("select pg_advisory_unlock(1)");
  waiting.get();
  CHECK_FALSE(waiter.broken());
}

TEST_CASE("postgres: a caller without time gets an error that says whether a change may be made") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  const Address bounded = address(database.url(), kLong);
  Connection plain({database.url()});
  plain.script("create table t (i int8)");
  const auto said = [&](const auto& ask) {
    Connection connection(bounded);
    connection.run("select 1");
    return said_late([&] { ask(connection); });
  };
  CHECK(said([](Connection& it) { it.run("select 1"); }).field == "");
  const Said insert = said([](Connection& it) { it.run("insert into t values (1)"); });
  CHECK(insert.field == "outcome");
  CHECK(insert.text.find("look before you try again") != std::string::npos);
  // Nothing of an uncommitted transaction is stored.
  CHECK(said([](Connection& it) {
          it.begin();
          it.run("insert into t values (1)");
        }).field == "");
  CHECK(said([](Connection& it) {
          it.begin();
          it.send("insert into t values (1)");
          it.commit();
        }).field == "outcome");
  CHECK(said([](Connection& it) {
          it.begin_reading();
          it.send("select 1");
          it.commit();
        }).field == "");
  // Nobody connects any more, either.
  CHECK(said_late([&] { Connection late(bounded); }).text.find("no time left") !=
        std::string::npos);
  // Without a limit of this process the caller has none.
  const CallerDeadline over(0);
  CHECK(plain.run("select 1::int8").number(0, 0) == 1);
}

TEST_CASE("postgres: a commit whose answer does not come is asked for, as long as there is time") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  CutLine line(database.url(), [](const Message& /*message*/) { return Cut{}; });
  std::optional<CallerDeadline> over;
  bool is_late = false;
  StorageOptions options;
  options.database.timeout = std::chrono::seconds(1);
  options.at_step = [&](Step step) {
    if (is_late && step == Step::kWritten) over.emplace(0);
  };
  const auto storage = postgres::open_storage(line.through(database.url()), options);
  sign_up(*storage, 1);
  const Change change{Publish{UserNumber{1}, "text"}};
  const auto before = storage->version();

  line.plan(silent_at("insert into commits", Cut::When::kAfter));
  CHECK(code_of([&] { (void)storage->write({&change, 1}, kStart); }) == std::nullopt);
  CHECK(storage->version() == before + 1);

  line.plan([](const Message& /*message*/) { return Cut{}; });
  is_late = true;
  try {
    (void)storage->write({&change, 1}, kStart);
    FAIL("nobody answered in time");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kUnavailable);
    CHECK(error.field() == "outcome");
  }
  over.reset();
  is_late = false;
  // And all goes on.
  CHECK(code_of([&] { (void)storage->write({&change, 1}, kStart); }) == std::nullopt);
}

TEST_CASE("postgres: nothing waits any more in a process that is to end") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  CutLine line(database.url(), silent_at("select 7", Cut::When::kBefore));
  const Address waits = address(line.through(database.url()), kLong);
  Connection connection(waits);
  auto waiting = std::async(std::launch::async,
                            [&] { return code_of([&] { (void)connection.run("select 7"); }); });
  waits.waits->hurry(std::chrono::milliseconds(0));
  CHECK(waiting.get() == ErrorCode::kUnavailable);
}

TEST_SUITE_END();

}  // namespace chirp::test::postgres_silence_test
