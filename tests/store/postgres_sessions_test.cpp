// Goal: sessions have the settings that chirp needs, whatever the role's are; where one is in the
// way all the same, the message names it; and a session that has ended meanwhile is no reason to
// fail.
// Method: roles with settings that are in the way; sessions that are ended; servers that keep less
// than they acknowledge.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/postgres/connection/errors.h"
#include "store/postgres/storage.h"
#include "tests/support/pattern.h"
#include "tests/support/postgres_server.h"
#include "tests/support/storage_contract.h"
#include "tests/support/stores.h"
#include "tests/support/thrown.h"

namespace chirp::test::postgres_sessions_test {
namespace {

using postgres::Address;
using postgres::Connection;

// A role of the test's own, as long as this lives; it owns a database without tables.
class Role {
 public:
  explicit Role(std::string name) : name_(std::move(name)) {
    owner_.script(fmt::format("drop role if exists {0}; create role {0} login", name_));
  }
  ~Role() { owner_.script(fmt::format("drop owned by {0}; drop role {0}", name_)); }
  Role(const Role&) = delete;
  Role& operator=(const Role&) = delete;
  void set(const std::string& setting) {
    owner_.script(fmt::format("alter role {} set {}", name_, setting));
  }
  void run(const std::string& sql) { owner_.script(sql); }
  [[nodiscard]] std::string url() const {
    return Pattern("//[a-z]+@").replaced_in(database_.url(), "//" + name_ + "@");
  }

 private:
  PostgresDatabase database_;
  Connection owner_{{database_.url()}};
  std::string name_;
};

std::string value_of(Connection& connection, std::string_view setting) {
  return connection.run("select current_setting($1::text)", postgres::Params().text(setting))
      .text(0, 0);
}

std::string refusal_of(const std::string& url) {
  try {
    Connection connection({url});
    (void)postgres::init(connection, {postgres::kFormatVersion, "test", kTestMachine});
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kNotLetIn);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("postgres: no bound of a role ends statements or sessions of chirp") {
  if (!has_postgres()) return;
  Role role("bounded");
  for (const std::string_view setting :
       {"statement_timeout", "lock_timeout", "idle_session_timeout",
        "idle_in_transaction_session_timeout"}) {
    role.set(fmt::format("{} = '1s'", setting));
    Connection connection({role.url()});
    CHECK_MESSAGE(value_of(connection, setting) == "0", setting);
  }
}

TEST_CASE("postgres: a commit waits for the disk at least, unless another is asked for") {
  if (!has_postgres()) return;
  Role role("hasty");
  const auto commits = [&](bool may_lose) {
    Connection connection({.url = role.url(), .may_lose = may_lose});
    return value_of(connection, "synchronous_commit");
  };
  role.set("synchronous_commit = off");
  CHECK(commits(false) == "on");
  CHECK(commits(true) == "off");
  for (const char* const value : {"local", "remote_write", "remote_apply", "on"}) {
    role.set(fmt::format("synchronous_commit = {}", value));
    CHECK(commits(false) == value);
  }
}

TEST_CASE("postgres: a session that ended while it was idle is replaced without an error") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  const auto storage = postgres::open_storage(database.url());
  sign_up(*storage, 1);
  Connection({shared_postgres_url("postgres")})
      .run(
          "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname ="
          " split_part(split_part($1::text, '@/', 2), '?', 1)",
          postgres::Params().text(database.url()));
  const Change change{Publish{UserNumber{1}, "text"}};
  CHECK(code_of([&] { (void)storage->write({&change, 1}, kStart); }) == std::nullopt);
}

TEST_CASE("postgres: what is refused because of a setting or a right names it") {
  const postgres::Role role{"web", "World"};
  for (const auto& [state, words] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"57014", "alter role web set statement_timeout = 0"},
           {"57P05", "alter role web set idle_session_timeout = 0"},
           {"25P03", "alter role web set idle_in_transaction_session_timeout = 0"},
           {"25P04", "alter role web set transaction_timeout = 0"},
           {"25006", "default_transaction_read_only"},
           {"42501", "alter database \"World\" owner to web"},
           {"42501", "grant create on schema public to web"},
           {"3F000", "alter role web reset search_path"},
           {"53300", "max_connections"}}) {
    const std::string advice = postgres::advice(state, role);
    CHECK_MESSAGE(advice.find(words) != std::string::npos, advice);
  }
  CHECK(postgres::advice("57014", {}).find("alter role ROLE set") != std::string::npos);
}

TEST_CASE("postgres: a role that can't create tables learns which statement lets it") {
  if (!has_postgres()) return;
  Role role("maker");
  CHECK(refusal_of(role.url()).find("grant create on schema public to maker") != std::string::npos);
  role.run("grant create on schema public to maker");
  role.set("search_path = nosuch");
  CHECK(refusal_of(role.url()).find("alter role maker reset search_path") != std::string::npos);
  role.set("search_path = public");
  CHECK(refusal_of(role.url()) == "");
}

TEST_CASE("postgres: a server that keeps less than it acknowledges is found") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  const auto losses = postgres::open_storage(database.url())->losses();
  REQUIRE(losses.size() == 1);
  CHECK(losses.front().find("fsync = off") != std::string::npos);
}

}  // namespace chirp::test::postgres_sessions_test
