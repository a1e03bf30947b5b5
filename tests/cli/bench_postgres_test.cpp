// Goal: a store on PostgreSQL is measured beside a folder with the same world, in a database of its
// own that goes with the benchmark however that ends.
// Method: the program itself, on small worlds, for as short as it goes. Says that it is skipped
// where PostgreSQL is not installed.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/postgres/connection/connection.h"
#include "tests/support/child.h"
#include "tests/support/postgres_server.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

Ended bench(const char* what, const std::string& url, std::vector<std::string> more = {}) {
  Command command{{CHIRP_BINARY, "bench", what, "--data", url, "--json", "--seconds", "0.03",
                   "--users", "140", "--follows", "700", "--posts", "600"}};
  command.arguments.insert(command.arguments.end(), more.begin(), more.end());
  return run(command);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// How many databases of benchmarks there are on the server, and tables of anybody in this one.
std::pair<std::int64_t, std::int64_t> left_behind(const PostgresDatabase& database) {
  postgres::Connection connection({database.url()});
  return {connection.run("select count(*) from pg_database where datname like 'chirp_bench_%'")
              .number(0, 0),
          connection
              .run("select count(*) from pg_tables where schemaname !~ '^pg_'"
                   " and schemaname <> 'information_schema'")
              .number(0, 0)};
}
const std::pair<std::int64_t, std::int64_t> kNothing{0, 0};

}  // namespace

TEST_CASE("bench: a database of PostgreSQL is compared with a folder, and is dropped at the end") {
  if (!has_postgres()) return;
  own_postgres();  // whose databases of benchmarks are counted
  const PostgresDatabase database;
  const Ended ended = bench("postgres", database.url());
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  CHECK(has(ended.out, R"({"name":"server","server_version":")"));
  for (const char* name : {"page, cold", "viewer's step", "one a viewer", "ten a viewer",
                           "posts, 1024 a batch", "reactions, 1024", "lone posts"}) {
    const auto line = fmt::format(R"({{"name":"{}","policy":"",)", name);
    CHECK_MESSAGE(has(ended.out, line), line);
  }
  CHECK(has(ended.out, R"("reference":{"name":"the same on a folder","rate":)"));
  for (const char* name :
       {"bytes: post and log entry", "bytes: edge, both ways", "bytes: timeline entry",
        "bytes: reaction", "log of a delivery, one a viewer", "log of a delivery, ten a viewer"}) {
    const auto line = fmt::format(R"({{"name":"{}","value":)", name);
    CHECK_MESSAGE(has(ended.out, line), line);
  }
  // Each reader follows one star: so many deliveries a step, and no more.
  CHECK(has(ended.out, R"({"name":"one a viewer","policy":"","threads":1,"operations":140,)"));
  CHECK(has(ended.out, R"({"name":"ten a viewer","policy":"","threads":1,"operations":1400,)"));
  for (const char* name : {"page", "batch, less conditions", "page with reposts"}) {
    const auto line = fmt::format(R"({{"name":"round trips: {}","value":)", name);
    const std::size_t at = ended.out.find(line);
    REQUIRE_MESSAGE(at != std::string::npos, line);
    CHECK(std::stod(ended.out.substr(at + line.size())) <= 4);
  }
  CHECK(left_behind(database) == kNothing);
}

TEST_CASE("bench: several databases of PostgreSQL are compared with a folder, and are dropped") {
  if (!has_postgres()) return;
  own_postgres();  // whose databases of benchmarks are counted
  const PostgresDatabase database;
  const Ended ended = bench("postgres", database.url(), {"--nodes", "3"});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  for (const char* name : {"page, cold", "viewer's step", "one a viewer", "posts, 1024 a batch",
                           "lone posts", "posts, four servers at once", "follows, a load"}) {
    const auto line = fmt::format(R"({{"name":"{}","policy":"",)", name);
    CHECK_MESSAGE(has(ended.out, line), line);
  }
  CHECK(has(ended.out, R"({"name":"one a viewer","policy":"","threads":1,"operations":140,)"));
  CHECK(has(ended.out, R"("reference":{"name":"one server alone","rate":)"));
  CHECK(left_behind(database) == kNothing);
}

TEST_CASE("bench: where no database could be made, none is said to be left") {
  if (!has_postgres()) return;
  const TempFolder nowhere;
  const Ended ended =
      bench("postgres", fmt::format("postgresql://nobody@/x?host={}", nowhere.path().string()));
  CHECK(ended.status == 1);
  CHECK_MESSAGE(has(ended.err, "There is no connecting to"), ended.err);
  CHECK_MESSAGE(!has(ended.err, "drop database"), ended.err);
}

TEST_CASE("bench: nodes are for postgres alone") {
  const Ended ended = run({{CHIRP_BINARY, "bench", "load", "--nodes", "3"}});
  CHECK(ended.status == 2);
  CHECK_MESSAGE(has(ended.err, "`--nodes` needs `postgres`"), ended.err);
}

TEST_CASE("bench: a server on a database is compared with one on a folder, also during a load") {
  if (!has_postgres()) return;
  own_postgres();  // whose databases of benchmarks are counted
  const PostgresDatabase database;
  const Ended ended = bench("http", database.url());
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  CHECK(has(ended.out, R"({"name":"feed over http, PostgreSQL","policy":"","threads":16,)"));
  CHECK(has(ended.out, R"("reference":{"name":"the same server on a folder","rate":)"));
  CHECK(has(ended.out, R"({"name":"feed amid a load","policy":"","threads":16,)"));
  CHECK(has(ended.out, R"({"name":"p99 of a page amid a load, to that alone","value":)"));
  CHECK(left_behind(database) == kNothing);
}

TEST_CASE("bench: what was made on PostgreSQL does not outlive a program that is killed") {
  if (!has_postgres()) return;
  own_postgres();  // whose databases of benchmarks are counted
  const PostgresDatabase database;
  const TempFolder folder;
  // What drops the database holds the standard output until that is done, so that its end is the
  // end of what is read.
  const Ended ended = run({{"/bin/sh", "-c", R"(
      mkfifo "$TMPDIR/out"
      "$0" bench postgres --data "$1" --json --seconds 600 --users 40 --follows 80 --posts 80 \
        > "$TMPDIR/out" &
      exec 3< "$TMPDIR/out"
      read -r line <&3
      kill -KILL $!
      cat <&3 > "$TMPDIR/rest"
      echo "$line"
  )",
                            CHIRP_BINARY, database.url()},
                           {"TMPDIR=" + folder.path().string()}});
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  CHECK_MESSAGE(has(ended.out, R"({"name":"server")"), ended.out);
  CHECK(left_behind(database) == kNothing);
}

TEST_CASE("bench: a role without the right to create a database is refused, and a wrong address") {
  const Ended none = run({{CHIRP_BINARY, "bench", "postgres"}});
  CHECK(none.status == 2);
  CHECK_MESSAGE(has(none.err, "--data postgresql://"), none.err);
  const Ended folder = run({{CHIRP_BINARY, "bench", "postgres", "--data", "/nowhere"}});
  CHECK(folder.status == 2);
  if (!has_postgres()) return;
  own_postgres();  // whose databases of benchmarks are counted
  const PostgresDatabase database;
  postgres::Connection({database.url()}).script("create role measurer login");
  std::string url = database.url();
  url.replace(url.find("chirp@"), std::string("chirp@").size(), "measurer@");
  const Ended ended = bench("postgres", url);
  CHECK(ended.status == 4);
  CHECK_MESSAGE(has(ended.err, "alter role NAME createdb"), ended.err);
  CHECK(left_behind(database) == kNothing);
}

}  // namespace chirp::test
