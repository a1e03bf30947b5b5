// Goal: what commands say of a folder they say of a database, word for word; what can't be done
// there says what to do instead, and what goes wrong is said with the right status.
// Method: files of testdata/cli and the program itself, on a server of the test's own.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/postgres/cluster/places.h"
#include "store/postgres/connection/connection.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/eventually.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"
#include "tests/support/postgres_server.h"
#include "tests/support/stores.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::database_test {
namespace {

using Words = std::vector<std::string>;

constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kRefused = 4;

void check_golden(const std::string& name) {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  const auto file = std::filesystem::path(CHIRP_SOURCE_DIR) / "testdata" / "cli" / (name + ".txt");
  for (const GoldenMismatch& mismatch : run_golden_on(database.url(), file)) {
    FAIL_CHECK(file.string() << ":" << mismatch.line << " on a database\n$ " << mismatch.command
                             << "\n--- expected\n"
                             << mismatch.expected << "--- said\n"
                             << mismatch.actual);
  }
}

Ended chirp(const std::string& data, Words arguments, Words environment = {}) {
  Command command = chirp_command(data, std::move(arguments));
  command.environment = std::move(environment);
  command.environment.push_back("CHIRP_TEST_CLOCK=2026-01-15T18:30:00Z");
  return run(command);
}

std::string said(const std::string& data, Words arguments) {
  const Ended ended = chirp(data, std::move(arguments));
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  return ended.out;
}

// That it ends so, with words that match all of `patterns`.
void check_refused(const Ended& ended, int status, const Words& patterns) {
  CHECK_MESSAGE(ended.status == status, to_string(ended));
  CHECK(ended.out.empty());
  for (const std::string& pattern : patterns) {
    CHECK_MESSAGE(Pattern(pattern).is_in(ended.err), pattern, "\n", to_string(ended));
  }
}

}  // namespace

TEST_CASE("database: user") { check_golden("user"); }
TEST_CASE("database: suspensions and renames") { check_golden("state"); }
TEST_CASE("database: post") { check_golden("post"); }
TEST_CASE("database: follow") { check_golden("follow"); }
TEST_CASE("database: feed") { check_golden("feed"); }
TEST_CASE("database: reposts, privacy, blocks and mutes") { check_golden("social"); }
TEST_CASE("database: reactions, comments and notifications") { check_golden("talk"); }
TEST_CASE("database: lists of one user") { check_golden("lists"); }
TEST_CASE("database: config") { check_golden("config"); }
TEST_CASE("database: query") { check_golden("query"); }
TEST_CASE("database: trend and keys") { check_golden("trend"); }
TEST_CASE("database: seed") { check_golden("seed"); }
TEST_CASE("database: export and load export") { check_golden("export"); }
TEST_CASE("database: load posts and events") { check_golden("load"); }
TEST_CASE("database: what files say") { check_golden("files"); }
TEST_CASE("database: ids that are words") { check_golden("words"); }
TEST_CASE("database: dry runs of loads") { check_golden("dry"); }
TEST_CASE("database: loads of folders") { check_golden("folder"); }
TEST_CASE("database: archives of Mastodon accounts") { check_golden("mastodon"); }
TEST_CASE("database: lists of accounts") { check_golden("accounts"); }
TEST_CASE("database: load archive") { check_golden("archive"); }
TEST_CASE("database: tables, lists, sets and pairs") { check_golden("shapes"); }

TEST_CASE("database: init makes the tables once, and keeps the machine") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  const std::string& url = database.url();
  CHECK(said(url, {"init", "--machine", "7"}) ==
        fmt::format("Made the tables of format 3 in the database: {}\n", url));
  CHECK(said(url, {"init"}) ==
        fmt::format("There are already tables of format 3 in the database: {}\n", url));
  CHECK(said(url, {"init", "--json"}) ==
        fmt::format("{{\"data\":\"{}\",\"formatVersion\":3,\"created\":false}}\n", url));
  check_refused(chirp(url, {"init", "--machine", "8"}), kRefused,
                {"already, of machine 7. Its machine can't be changed"});
}

TEST_CASE("database: init refuses a database that holds anything else, and leaves it as it was") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  postgres::Connection connection({database.url()});
  const auto tables = [&] {
    return connection.run("select count(*) from pg_class where relkind = 'r'").number(0, 0);
  };
  for (const char* const theirs :
       {"create table shop (id int)", "create table meta (id int)",
        "create schema shop; create view shop.things as select 1 as thing"}) {
    CAPTURE(theirs);
    connection.script(theirs);
    const auto before = tables();
    check_refused(chirp(database.url(), {"init"}), kRefused,
                  {"holds [a-z]+\\.[a-z]+ already", "createdb"});
    check_refused(chirp(database.url(), {"stats"}), kFailed, {"nothing of chirp", "`chirp init`"});
    CHECK(tables() == before);
    connection.script("drop table if exists shop; drop table if exists meta");
  }
  connection.script("drop schema shop cascade; create extension if not exists plpgsql");
  CHECK(chirp(database.url(), {"init"}).ok());
}

TEST_CASE("database: init spreads rows over the given number of Citus shards, and says so") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  const TempFolder folder;
  check_refused(chirp(database.url(), {"init", "--citus"}), kUsage, {"create extension citus"});
  check_refused(chirp((folder / "world").string(), {"init", "--citus"}), kUsage, {"postgresql://"});
  check_refused(chirp(database.url(), {"init", "--buckets", "64"}), kUsage, {"--citus"});
  for (const char* const buckets : {"15", "48", "2048", "many"}) {
    check_refused(chirp(database.url(), {"init", "--citus", "--buckets", buckets}), kUsage,
                  {"16", "1024"});
  }
  CHECK(said(database.url(), {"init"}).find("Made the tables") != std::string::npos);
}

TEST_CASE("database: a password in the address is refused, and never said") {
  for (const char* const url :
       {"postgresql://mira:secret@db.example.org/chirp", "postgres://mira:secret@/chirp",
        "postgresql://mira:sec/ret@db.example.org/chirp", "postgresql://mira:s?secret@db/chirp",
        "postgresql:///chirp?password=secret", "postgresql:///chirp?sslmode=require&passw%6Frd=x",
        "postgresql:///chirp?sslpassword=secret"}) {
    CAPTURE(url);
    for (const Words& command : {Words{"init"}, Words{"user", "list", "--verbose"}}) {
      const Ended ended = chirp(url, command);
      check_refused(ended, kUsage, {"holds a password", "PGPASSFILE", "\\.pgpass"});
      CHECK(ended.err.find("sec") == std::string::npos);
      CHECK(ended.err.find("example") == std::string::npos);
    }
  }
}

TEST_CASE("database: why there is no connecting is said, with what to do") {
  if (!has_postgres()) return;
  check_refused(chirp("postgresql:///chirp?host=/nowhere", {"stats"}), kFailed,
                {"no connecting to the database chirp at /nowhere", "see whether the server"});
  check_refused(chirp("postgresql:///chirp?nonsense=1", {"stats"}), kUsage,
                {"no address of a database", "nonsense"});
  const PostgresDatabase database;
  const std::string missing = Pattern("chirp_[0-9]+").replaced_in(database.url(), "lost");
  for (const char* const command : {"stats", "init"}) {
    check_refused(chirp(missing, {command}), kFailed,
                  {"database \"lost\" does not exist", "createdb", "chirp init"});
  }
  check_refused(chirp(database.url(), {"stats"}), kFailed,
                {"nothing of chirp in the database chirp_[0-9]+ at /", "Run `chirp init`"});
  const std::string stranger = Pattern("//[a-z]+@").replaced_in(database.url(), "//stranger@");
  check_refused(chirp(stranger, {"stats"}), kRefused, {"stranger", "pg_hba.conf"});
}

TEST_CASE("database: a password is taken from where it belongs") {
  if (!has_postgres()) return;
  PostgresServer server;
  postgres::Connection({server.url("postgres")})
      .script("create role guarded login password 'correct horse'");
  postgres::Connection({server.url("postgres")}).script("create database world owner guarded");
  server.ask_password_of("guarded");
  const std::string url = Pattern("//[a-z]+@").replaced_in(server.url("world"), "//guarded@");
  const TempFolder home;
  const std::string nowhere = "HOME=" + home.path().string();
  check_refused(chirp(url, {"init"}, {nowhere}), kRefused, {"no password supplied", "PGPASSFILE"});
  const Ended wrong = chirp(url, {"init"}, {nowhere, "PGPASSWORD=wrong donkey"});
  check_refused(wrong, kRefused, {"password authentication failed", "PGPASSFILE"});
  CHECK(wrong.err.find("donkey") == std::string::npos);
  write_file(home / "passwords", "*:*:world:guarded:correct horse\n");
  std::filesystem::permissions(home / "passwords", std::filesystem::perms::owner_read);
  const std::string file = "PGPASSFILE=" + (home / "passwords").string();
  const Ended made = chirp(url, {"init"}, {nowhere, file});
  CHECK_MESSAGE(made.ok(), to_string(made));
  CHECK(chirp(url, {"user", "add", "mira"}, {nowhere, "PGPASSWORD=correct horse"}).ok());
}

TEST_CASE("database: one of another format is refused, and left as it is") {
  if (!has_postgres()) return;
  const PostgresDatabase database(7);
  postgres::Connection connection({database.url()});
  connection.run("update meta set format = 99");
  for (const char* const command : {"stats", "init", "doctor", "status"}) {
    CAPTURE(command);
    const Ended ended = chirp(database.url(), {command});
    CHECK_MESSAGE(!ended.ok(), to_string(ended));
    CHECK_MESSAGE(ended.err.find("format 99") != std::string::npos, to_string(ended));
    CHECK(ended.err.find("newer chirp") != std::string::npos);
  }
}

TEST_CASE("database: migrate finds one of today's format, and changes nothing") {
  if (!has_postgres()) return;
  const PostgresDatabase database(7);
  const std::string& url = database.url();
  for (const Words& options : {Words{"migrate"}, Words{"migrate", "--dry-run"}}) {
    CHECK(said(url, options) == url + " has format 3. There is nothing to do.\n");
  }
  CHECK(said(url, {"migrate", "--yes", "--json"}) ==
        fmt::format("{{\"path\":\"{}\",\"from\":3,\"to\":3,\"changed\":[]}}\n", url));
  const PostgresDatabase empty;
  check_refused(chirp(empty.url(), {"migrate"}), kFailed, {"nothing of chirp", "chirp init"});
  postgres::Connection connection({url});
  for (const int format : {0, 99}) {
    connection.run("update meta set format = $1::int4", postgres::Params().int4(format));
    check_refused(chirp(url, {"migrate", "--yes"}), kFailed,
                  {fmt::format("format {}", format), format == 0 ? "that made it" : "newer chirp"});
  }
}

TEST_CASE("database: an older one is refused until it is migrated, and sound then") {
  if (!has_postgres()) return;
  const PostgresDatabase database(7);
  const std::string& url = database.url();
  for (const char* const name : {"mira", "tomas"}) {
    said(url, {"user", "add", name});
    said(url, {"post", "add", name, "＃夜空 #sea"});
  }
  said(url, {"post", "add", "mira", "for followers", "--privacy", "followers"});
  said(url, {"post", "add", "mira", "for nobody", "--privacy", "private"});
  const std::string shown = said(url, {"user", "show", "mira", "--json"});
  CHECK(shown.find("\"postCount\":2") != std::string::npos);
  const std::string listed = said(url, {"post", "list", "mira"});
  CHECK(said(url, {"trend", "list"}).find("夜空") != std::string::npos);
  const auto check_unmigrated = [&] {
    for (const char* const command : {"stats", "init", "doctor"}) {
      CAPTURE(command);
      check_refused(chirp(url, {command}), kFailed, {"has format 1, older", "`chirp migrate`"});
    }
  };
  {
    // As the program of that format left it.
    postgres::Connection older({url});
    older.run("update meta set format = 1");
    older.run("delete from tag_uses");
    for (const char* const table : {"tag_posts", "hidden_threads"}) {
      older.run(fmt::format("drop table {}", table));
    }
    for (const char* const log : {"followers_logs", "private_logs"}) {
      older.run(fmt::format("insert into author_logs select * from {}", log));
      older.run(fmt::format("drop table {}", log));
    }
    older.run("update counters set posts = 3 where posts = 2 and died is null");
    check_unmigrated();
    check_refused(chirp(url, {"migrate", "--yes"}), kFailed, {"needs the database", "Stop that"});
    check_unmigrated();
  }
  CHECK(said(url, {"migrate", "--dry-run"}) ==
        fmt::format("would migrate\t{} from format 1 to 3\n", url));
  check_unmigrated();
  CHECK(said(url, {"migrate", "--yes"}).find(" from format 1 to 3: ") != std::string::npos);
  CHECK(said(url, {"trend", "list"}).find("夜空") != std::string::npos);
  CHECK(said(url, {"user", "show", "mira", "--json"}) == shown);
  CHECK(said(url, {"post", "list", "mira"}) == listed);
  CHECK(chirp(url, {"doctor"}).ok());
  CHECK(said(url, {"migrate", "--yes"}).find("nothing to do") != std::string::npos);
}

TEST_CASE("database: an older one over several servers gets its tables on each of them") {
  if (!has_postgres()) return;
  for (const bool in_rows : {false, true}) {
    CAPTURE(in_rows);
    const PostgresDatabase home;
    const PostgresDatabase nodes[2];
    postgres::init_nodes(home.url(), {nodes[0].url(), nodes[1].url()},
                         {postgres::kFormatVersion, "test", kTestMachine, "nodes"},
                         {.count = 16, .in_rows = in_rows});
    const auto list = [&] {
      std::vector<std::string> all;
      for (const char* const name : {"mira", "tomas", "wren"}) {
        all.push_back(said(home.url(), {"post", "list", name}));
      }
      return all;
    };
    for (const char* const name : {"mira", "tomas", "wren"}) {
      said(home.url(), {"user", "add", name});
      for (const char* const level : {"public", "followers", "private"}) {
        said(home.url(), {"post", "add", name, "text", "--privacy", level});
      }
    }
    const auto before = list();
    for (const PostgresDatabase& node : nodes) {
      postgres::Connection older({node.url()});
      older.run("drop table tag_posts");
      older.run("drop table hidden_threads");
      for (const char* const log : {"followers_logs", "private_logs"}) {
        older.run(fmt::format("insert into author_logs select * from {}", log));
        older.run(fmt::format("drop table {}", log));
      }
      older.run("update counters set posts = 3 where died is null");
    }
    postgres::Connection({home.url()}).run("update meta set format = 1");
    said(home.url(), {"migrate", "--yes"});
    CHECK(list() == before);
    CHECK(chirp(home.url(), {"doctor"}).ok());
  }
}

TEST_CASE("database: what is for folders says what is done there instead") {
  if (!has_postgres()) return;
  const PostgresDatabase database(7);
  const TempFolder folder;
  const std::string place = (folder / "copy").string();
  check_refused(chirp(database.url(), {"backup", place}), kUsage, {"needs a directory", "pg_dump"});
  check_refused(chirp(database.url(), {"restore", place, "--yes"}), kUsage,
                {"needs a directory", "pg_restore", "load export"});
  check_refused(chirp(database.url(), {"compact"}), kUsage, {"needs a directory", "VACUUM"});
  CHECK_FALSE(std::filesystem::exists(place));
}

TEST_CASE("database: a mark is a restore point of every server, between two changes") {
  if (!has_postgres()) return;
  const auto server = PostgresServer::streaming();
  std::vector<std::string> urls;
  for (const char* const name : {"home", "first", "second"}) {
    postgres::Connection({server->url("postgres")}).script(fmt::format("create database {}", name));
    urls.push_back(server->url(name));
  }
  postgres::init_nodes(urls[0], {urls[1], urls[2]},
                       {postgres::kFormatVersion, "test", kTestMachine, "nodes"}, {});
  const std::string told = said(urls[0], {"backup", "--mark", "monday"});
  for (const char* const name : {"home at", "first at", "second at"}) {
    CHECK_MESSAGE(told.find(name) != std::string::npos, told);
  }
  // PostgreSQL tells each of them in its log, which a process of its own writes.
  postgres::Connection asking({urls[0]});
  CHECK(eventually([&] {
    const auto points = asking.run(
        "select count(*) from regexp_matches(pg_read_file(pg_current_logfile()),"
        " 'restore point \"monday\" created', 'g')");
    return points.number(0, 0) == 3;
  }));
  check_refused(chirp(urls[0], {"backup", "--mark", ""}), kUsage, {"1 to 63"});
  check_refused(chirp(urls[0], {"backup", "--mark", std::string(64, 'x')}), kUsage, {"1 to 63"});
  check_refused(chirp(urls[0], {"backup"}), kUsage, {"DEST.*--mark"});
  check_refused(chirp(urls[0], {"backup", "x", "--mark", "x"}), kUsage, {"DEST.*--mark"});
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  (void)said(data, {"init"});
  check_refused(chirp(data, {"backup", "--mark", "monday"}), kUsage, {"for a database"});
}

TEST_CASE("database: a configuration names one as the command line does") {
  if (!has_postgres()) return;
  const PostgresDatabase database(7);
  const TempFolder folder;
  write_file(folder / "chirp.toml", fmt::format("data = \"{}\"\n", database.url()));
  const Ended ended = run({.arguments = {CHIRP_BINARY, "--config", (folder / "chirp.toml").string(),
                                         "user", "add", "mira"},
                           .environment = {"CHIRP_DATA="}});
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  CHECK(said(database.url(), {"user", "list"}).find("mira") != std::string::npos);
}

TEST_CASE("database: status and doctor report a server that keeps less than it acknowledges") {
  if (!has_postgres()) return;
  const PostgresDatabase database(kTestMachine);
  const Words careful{"CHIRP_UNSAFE_DATABASE=false"};
  constexpr int kUnrepaired = 5;
  const Ended doctor = chirp(database.url(), {"doctor"}, careful);
  CHECK_MESSAGE(doctor.status == kUnrepaired, to_string(doctor));
  CHECK_MESSAGE(Pattern("durability: .*fsync = off").is_in(doctor.out), to_string(doctor));
  const Ended status = chirp(database.url(), {"status"}, careful);
  CHECK(status.ok());
  CHECK_MESSAGE(Pattern("fsync = off").is_in(status.err), to_string(status));
  CHECK(Pattern("\"warnings\":\\[\"[^\"]*fsync = off")
            .is_in(chirp(database.url(), {"status", "--json"}, careful).out));

  CHECK(chirp(database.url(), {"doctor", "--unsafe-database"}, careful).ok());
  const Ended accepted = chirp(database.url(), {"status", "--unsafe-database"}, careful);
  CHECK_MESSAGE(accepted.err.empty(), to_string(accepted));
  CHECK_MESSAGE(Pattern("durability.*--unsafe-database").is_in(accepted.out), to_string(accepted));
}

}  // namespace chirp::test::database_test
