// Goal: a role that owns nothing runs all with the rights that docs/scale-out.md grants it, whoever
// made the tables and when; one that may only read runs what reads, and is refused the rest.
// Method: the grants of that page, roles and databases of the test's own.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/ports/snapshot.h"
#include "core/rules/writing.h"
#include "store/postgres/connection/connection.h"
#include "store/postgres/storage.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/eventually.h"
#include "tests/support/json_value.h"
#include "tests/support/pattern.h"
#include "tests/support/postgres_server.h"
#include "tests/support/server_process.h"
#include "tests/support/source_tree.h"
#include "tests/support/stores.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thrown.h"

namespace chirp::test {
namespace {

using postgres::Connection;
using Words = std::vector<std::string>;

constexpr int kRefused = 4;

const std::string kWrites = "grant select, insert, update, delete on all tables in schema public";
const std::string kReads = "grant select on all tables in schema public";
const std::string kPins = "grant insert, update on pins";
const std::string kLater =
    "alter default privileges in schema public grant select, insert, update, delete on tables";

std::string as(const std::string& url, const std::string& role) {
  return Pattern("//[a-z]+@").replaced_in(url, "//" + role + "@");
}

std::string said(const std::string& url, Words arguments) {
  const Ended ended = run(chirp_command(url, std::move(arguments)));
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  return ended.out;
}

// A role without any right of its own, as long as this lives.
class Role {
 public:
  Role(const PostgresDatabase& database, std::string name)
      : owner_({database.url()}), name_(std::move(name)) {
    owner_.script(fmt::format("drop role if exists {0}; create role {0} login", name_));
  }
  ~Role() {
    try {
      owner_.script(fmt::format("drop owned by {0}; drop role {0}", name_));
    } catch (const Error&) {
      // It goes with the server.
    }
  }
  Role(const Role&) = delete;
  Role& operator=(const Role&) = delete;

  void may(const std::string& grant) { owner_.script(fmt::format("{} to {}", grant, name_)); }

 private:
  Connection owner_;
  std::string name_;
};

}  // namespace

TEST_CASE("rights: the page for operators grants what these tests grant") {
  const std::string page = source_file("docs/scale-out.md").text;
  for (const std::string& grant : {kWrites, kReads, kPins, kLater}) {
    CHECK_MESSAGE(page.find(grant + " to chirp_") != std::string::npos, grant);
  }
}

TEST_CASE("rights: a server of a role with rights to rows alone serves, and runs the consumers") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Role runner(database, "runner");
  runner.may(kWrites);
  const std::string url = as(database.url(), "runner");
  const auto tokens = make_served_directory(url, {"mira", "yuki"});
  ServerProcess server(url);
  Asker asker = server.client();
  said(url, {"follow", "add", "yuki", "mira"});
  CHECK(asker.ask({.path = "/v1/feed", .token = tokens[1]}).ok());
  const Told posted =
      asker.ask({"POST", "/v1/posts", R"({"content":"First frost #winter"})", tokens[0]});
  CHECK_MESSAGE(posted.status == 201, posted.body);
  CHECK(asker.ask({.path = "/v1/feed", .token = tokens[1]}).body.find("First frost") !=
        std::string::npos);
  CHECK(eventually([&] {
    const auto consumers = JsonValue::parse(said(url, {"status", "--json"}))["consumers"];
    if (!consumers["running"].as<bool>()) return false;
    for (const auto& [name, pending] : consumers["pending"].object()) {
      if (pending.as<std::int64_t>() != 0) return false;
    }
    return consumers["owner"]["pid"].as<std::int64_t>() == server.pid();
  }));
  CHECK(server.end(SIGTERM).ok());
  CHECK(said(url, {"feed", "show", "yuki"}).find("First frost") != std::string::npos);
  said(url, {"user", "remove", "mira"});
  said(url, {"doctor", "--repair"});
  const PostgresDatabase empty;
  const Ended ended = run(chirp_command(as(empty.url(), "runner"), {"init"}));
  CHECK_MESSAGE(ended.status == kRefused, to_string(ended));
  CHECK_MESSAGE(Pattern("permission denied.*rights").is_in(ended.err), ended.err);
}

TEST_CASE("rights: what died is swept by a role with rights to rows alone") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Role runner(database, "sweeper");
  runner.may(kWrites);
  const std::string url = as(database.url(), "sweeper");
  auto now = std::chrono::steady_clock::time_point(std::chrono::hours(1));
  const auto storage = postgres::open_storage(url, {.now = [&] { return now; }});
  for (const std::uint32_t cap : {100U, 200U}) {
    feed::FeedSettings settings = storage->snapshot()->state().settings;
    settings.cap = cap;
    rules::put_settings(*storage, settings, Time{1});
  }
  now += postgres::kSweepAfter + std::chrono::seconds(1);
  CHECK(storage->sweep() > 0);
}

TEST_CASE("rights: tables that are made later are the server's, too") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  Role keeper(database, "keeper");
  Role runner(database, "later");
  Connection owner({database.url()});
  owner.script("grant create on schema public to keeper");
  Connection({as(database.url(), "keeper")}).script(kLater + " to later");
  said(as(database.url(), "keeper"), {"init"});
  said(as(database.url(), "later"), {"user", "add", "mira"});
  said(as(database.url(), "later"), {"post", "add", "mira", "First frost"});
}

TEST_CASE("rights: a role that may read alone runs what reads, and nothing else") {
  if (!has_postgres()) return;
  const TempFolder folder;
  const PostgresDatabase database(kTestMachine);
  said(database.url(), {"user", "add", "mira"});
  said(database.url(), {"user", "add", "yuki"});
  said(database.url(), {"follow", "add", "yuki", "mira"});
  said(database.url(), {"post", "add", "mira", "First frost"});
  Role reader(database, "reader");
  reader.may(kReads);
  const std::string url = as(database.url(), "reader");
  for (const Words& command : std::vector<Words>{{"user", "list"},
                                                 {"user", "show", "mira"},
                                                 {"post", "list", "mira"},
                                                 {"follow", "followers", "mira"},
                                                 {"feed", "show", "yuki"},
                                                 {"feed", "verify", "--all"},
                                                 {"notify", "list", "mira"},
                                                 {"trend", "list"},
                                                 {"stats", "--full"},
                                                 {"status"},
                                                 {"query", "SELECT count(*) FROM posts"},
                                                 {"config", "list"},
                                                 {"log", "tail"},
                                                 {"doctor"},
                                                 {"export", (folder / "out").string()}}) {
    const Ended ended = run(chirp_command(url, command));
    CHECK_MESSAGE(ended.ok(), to_string(ended));
    CHECK_MESSAGE(ended.err.find("permission denied") == std::string::npos, to_string(ended));
  }
  for (const Words& command : std::vector<Words>{{"user", "add", "tomas"},
                                                 {"post", "add", "mira", "Second"},
                                                 {"follow", "remove", "yuki", "mira"},
                                                 {"feed", "rebuild", "--all"},
                                                 {"config", "set", "feed.cap", "50"}}) {
    const Ended ended = run(chirp_command(url, command));
    CHECK_MESSAGE(ended.status == kRefused, to_string(ended));
    CHECK_MESSAGE(ended.err.find("See the role's rights") != std::string::npos, to_string(ended));
  }
  CHECK(said(database.url(), {"stats", "--json"}).find("\"posts\":1") != std::string::npos);
}

TEST_CASE("rights: a long read keeps its state by a pin, for which it needs the right") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  Role reader(database, "slow");
  reader.may(kReads);
  auto now = std::chrono::steady_clock::time_point(std::chrono::hours(1));
  const auto storage =
      postgres::open_storage(as(database.url(), "slow"), {.now = [&] { return now; }});
  const auto read_slowly = [&] {
    const auto snapshot = storage->snapshot();
    (void)snapshot->state();
    for (int i = 0; i < 4; ++i) {
      now += postgres::kSnapshotLives / 2;
      (void)snapshot->scan_timelines(kNobody, 1);
    }
  };
  // Without it a snapshot lives for as long as one that nothing is asked of.
  CHECK(code_of(read_slowly) == ErrorCode::kUnavailable);
  CHECK_FALSE(code_of([&] {
    const auto snapshot = storage->snapshot();
    (void)snapshot->state();
    now += postgres::kSnapshotLives / 2;
    (void)snapshot->scan_timelines(kNobody, 1);
  }));
  reader.may(kPins);
  CHECK_FALSE(code_of(read_slowly));
}

}  // namespace chirp::test
