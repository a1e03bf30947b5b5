// Goal: what works on a data directory works on a database: servers, exports and their way back,
// the lab, doctor, and the demo to the last page. Method: the program on a server of the test's
// own, held against what it says of a folder.
#include <csignal>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/data_directory.h"
#include "store/postgres/connection/connection.h"
#include "tests/support/child.h"
#include "tests/support/citus.h"
#include "tests/support/data_directories.h"
#include "tests/support/eventually.h"
#include "tests/support/json_value.h"
#include "tests/support/pictures.h"
#include "tests/support/postgres_nodes.h"
#include "tests/support/server_process.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

const std::string kVillage = CHIRP_SOURCE_DIR "/testdata/village/";

std::string answered(const std::string& data, Words arguments) {
  Command command = chirp_command(data, std::move(arguments));
  command.environment = {"CHIRP_TEST_CLOCK=2026-01-15T18:30:00Z"};
  const Ended ended = run(command);
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  return ended.out;
}

void load_village(const std::string& data) {
  answered(data, {"init"});
  answered(data, {"load", "graph", kVillage + "follows.csv", "--names", kVillage + "names.csv"});
  answered(data, {"load", "posts", kVillage + "posts.jsonl", kVillage + "talk.jsonl"});
  answered(data, {"load", "events", kVillage + "likes.csv"});
}

// What a folder and a database are to say alike.
std::vector<std::string> told_of(const std::string& data) {
  return {answered(data, {"user", "list", "--all", "--json"}),
          answered(data, {"feed", "show", "yuki", "--all", "--json", "--policy", "pull"}),
          answered(data, {"doctor", "--json"})};
}

void check_demo(const std::string& village, const std::string& crowd) {
  if (!fs::exists("/usr/bin/python3")) {
    MESSAGE("skipped: needs python3");
    return;
  }
  const TempFolder folder;
  Command command{
      {CHIRP_SOURCE_DIR "/.ci/demo", CHIRP_BINARY, folder.path().string(), village, crowd, "100"}};
  const Ended ended = run(command);
  CHECK_MESSAGE(ended.ok(), to_string(ended));
}

// That an export of a folder goes into this database and back.
void check_there_and_back(const std::string& url) {
  const TempFolder folder;
  const auto at = [&](const char* name) { return (folder / name).string(); };
  load_village(at("first"));
  write_file(folder / "frost.png", png());
  answered(at("first"), {"post", "add", "mira", "First frost", "--media", at("frost.png")});
  answered(at("first"), {"user", "edit", "yuki", "--picture", at("frost.png")});
  answered(at("first"), {"user", "suspend", "tomas"});
  answered(at("first"), {"config", "set", "feed.cap", "50"});
  answered(at("first"), {"export", at("exported")});
  answered(url, {"init"});
  answered(url, {"load", "export", at("exported")});
  answered(url, {"export", at("again")});
  CHECK(files_of(at("again")) == files_of(at("exported")));
  answered(at("second"), {"init"});
  answered(at("second"), {"load", "export", at("again")});
  answered(at("second"), {"export", at("back")});
  CHECK(files_of(at("back")) == files_of(at("exported")));
  CHECK(answered(url, {"doctor"}).find("Everything is right.") != std::string::npos);
  CHECK(answered(url, {"feed", "verify", "--all"}) ==
        answered(at("second"), {"feed", "verify", "--all"}));
}

}  // namespace

TEST_CASE("database: one of format 2 gets lists without what is hidden") {
  if (!has_postgres()) return;
  const PostgresDatabase database(7);
  const std::string& url = database.url();
  for (const char* const name : {"mira", "tomas", "wren"}) answered(url, {"user", "add", name});
  constexpr std::size_t kIdAt = 11;  // behind {"postId":"
  std::string post = answered(url, {"post", "add", "mira", "#sea", "--json"}).substr(kIdAt);
  post.resize(post.find('"'));
  for (const char* const name : {"tomas", "wren"}) {
    answered(url, {"post", "add", name, "#sea"});
    answered(url, {"comment", "add", name, post, "text"});
  }
  answered(url, {"user", "suspend", "tomas"});
  answered(url, {"user", "block", "mira", "wren"});
  const auto check_rows = [&] {
    postgres::Connection asking({url});
    for (const auto& [table, rows] :
         {std::pair("tag_posts", 2), std::pair("hidden_threads", 2), std::pair("threads", 0)}) {
      CHECK(asking.run(fmt::format("select count(*) from {} where died is null", table))
                .number(0, 0) == rows);
    }
  };
  check_rows();
  {
    postgres::Connection older({url});
    older.run("update meta set format = 2");
    older.run(
        "insert into threads (born, post, parent, id)"
        " select born, post, parent, id from hidden_threads where died is null");
    older.run("drop table tag_posts");
    older.run("drop table hidden_threads");
  }
  CHECK(answered(url, {"migrate", "--yes"}).find(" from format 2 to 3: ") != std::string::npos);
  check_rows();
  answered(url, {"doctor"});
}

TEST_CASE("database: an export of a folder goes into a database and back, byte for byte") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  check_there_and_back(database.url());
}

TEST_CASE("database: an export of a folder goes over several servers and back, byte for byte") {
  if (!has_postgres()) return;
  for (const auto rows : {PostgresNodes::Rows::kPlain, PostgresNodes::Rows::kWithBuckets}) {
    const PostgresNodes nodes(rows);
    check_there_and_back(nodes.url());
    const std::string status = answered(nodes.url(), {"status"});
    CHECK(status.find("nodes") != std::string::npos);
    CHECK(status.find("decided") != std::string::npos);
  }
}

TEST_CASE("database: files of posts are kept there, and go with their posts") {
  if (!has_postgres()) return;
  const TempFolder folder;
  const PostgresDatabase database(7);
  const std::string& url = database.url();
  write_file(folder / "frost.png", png());
  answered(url, {"user", "add", "mira"});
  const std::string posted = answered(
      url, {"post", "add", "mira", "Frost", "--media", (folder / "frost.png").string(), "--json"});
  const std::string post = JsonValue::parse(posted)["postId"].text();
  postgres::Connection connection({url});
  const auto bytes = [&] {
    return connection.run("select coalesce(sum(length(bytes)), 0)::int8 from media_bytes")
        .number(0, 0);
  };
  CHECK(bytes() == static_cast<std::int64_t>(png().size()));
  answered(url, {"export", (folder / "out").string()});
  CHECK(files_of(folder / "out" / "media").size() == 1);
  answered(url, {"post", "remove", post});
  Command later = chirp_command(url, {"post", "add", "mira", "Later"});
  later.environment = {"CHIRP_TEST_CLOCK=2026-03-01T00:00:00Z"};
  CHECK(run(later).ok());
  CHECK(bytes() == 0);
}

TEST_CASE("database: stats count what is there, and the bytes of its tables") {
  if (!has_postgres()) return;
  const TempFolder folder;
  const PostgresDatabase database;
  load_village((folder / "world").string());
  load_village(database.url());
  const auto of_folder =
      JsonValue::parse(answered((folder / "world").string(), {"stats", "--json"}));
  const auto of_database =
      JsonValue::parse(answered(database.url(), {"stats", "--full", "--json"}));
  for (const char* const what : {"users", "posts", "follows", "comments", "likes", "timelines"}) {
    CAPTURE(what);
    CHECK(of_database[what].as<std::int64_t>() == of_folder[what].as<std::int64_t>());
  }
  postgres::Connection connection({database.url()});
  const auto all = connection.run(
      "select sum(pg_total_relation_size(oid))::int8, sum(pg_total_relation_size(oid)) filter"
      " (where relname = 'media_bytes')::int8 from pg_class"
      " where relkind = 'r' and relnamespace = 'public'::regnamespace");
  const auto bytes = of_database["bytes"];
  CHECK(bytes["users"].as<std::int64_t>() + bytes["engine"].as<std::int64_t>() +
            bytes["media"].as<std::int64_t>() ==
        all.number(0, 0));
  CHECK(bytes["media"].as<std::int64_t>() == all.number(0, 1));
}

TEST_CASE("database: the consumers have one owner, and another comes after it") {
  if (!has_postgres()) return;
  const PostgresDatabase database(7);
  const auto place = store::DataPlace::named(database.url());
  const auto first = store::DataDirectory::open(place);
  const auto second = store::DataDirectory::open(place);
  auto right = first->try_consumer_right();
  CHECK(right);
  CHECK_FALSE(second->try_consumer_right());
  right.reset();
  CHECK(second->try_consumer_right());
}

TEST_CASE("database: two servers on it give one answer, at once") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  const auto tokens = make_served_directory(database.url(), {"mira", "yuki"});
  answered(database.url(), {"follow", "add", "yuki", "mira"});
  ServerProcess one(database.url());
  ServerProcess other(database.url());
  Asker writer = one.client();
  Asker reader = other.client();
  for (int i = 0; i < 20; ++i) {
    const Told made =
        writer.ask({"POST", "/v1/posts", fmt::format(R"({{"content":"frost {}"}})", i), tokens[0]});
    REQUIRE_MESSAGE(made.ok(), made.body);
    const Told feed = reader.ask({.path = "/v1/feed?limit=5", .token = tokens[1]});
    CHECK_MESSAGE(feed.body.find(fmt::format("\"frost {}\"", i)) != std::string::npos, feed.body);
  }
  CHECK(writer.ask({.path = "/metrics"}).ok());
  CHECK(writer.ask({.path = "/healthz"}).ok());
  // What a command does is there for both.
  answered(database.url(), {"follow", "remove", "yuki", "mira"});
  for (Asker* const each : {&writer, &reader}) {
    CHECK(each->ask({.path = "/v1/feed?limit=5", .token = tokens[1]}).body.find("frost") ==
          std::string::npos);
  }
  CHECK(one.end(SIGTERM).ok());
  CHECK(other.end(SIGTERM).ok());
}

TEST_CASE("database: a server's absence is reported, and work continues when it is back") {
  if (!has_postgres()) return;
  PostgresServer postgres;
  postgres::Connection({postgres.url("postgres")}).script("create database world");
  const auto tokens = make_served_directory(postgres.url("world"), {"mira"});
  ServerProcess server(postgres.url("world"));
  Asker mira = server.client();
  const auto publish = [&](const char* text) {
    return mira.ask({"POST", "/v1/posts", fmt::format(R"({{"content":"{}"}})", text), tokens[0]});
  };
  CHECK(publish("before").ok());
  postgres.stop_at_once();
  const Told posted = publish("meanwhile");
  CHECK_MESSAGE(posted.status == 503, posted.body);
  const Told read = mira.ask({.path = "/v1/feed", .token = tokens[0]});
  CHECK_MESSAGE(read.status == 503, read.body);
  postgres.start();
  CHECK(eventually([&] { return publish("after").ok(); }));
  CHECK(eventually([&] {
    const Told feed = mira.ask({.path = "/v1/feed", .token = tokens[0]});
    return feed.ok() && feed.body.find("before") != std::string::npos &&
           feed.body.find("after") != std::string::npos &&
           feed.body.find("meanwhile") == std::string::npos;
  }));
  CHECK(server.end(SIGTERM).ok());
}

TEST_CASE("database: the lab plays on copies in folders, and leaves it as it was") {
  if (!has_postgres()) return;
  const TempFolder folder;
  const PostgresDatabase database;
  const std::string world = (folder / "world").string();
  load_village(world);
  load_village(database.url());
  const auto before = told_of(database.url());
  const Words lab{"lab", "--csv", "--day", "2025-03-13", "--thresholds", "4", "--cache-mb", "0"};
  const std::string played = answered(database.url(), lab);
  // The same runs, over as many posts and reads; what they took is of the machine.
  const auto first_lines = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  CHECK(first_lines(played) == first_lines(answered(world, lab)));
  CHECK(told_of(database.url()) == before);
}

TEST_CASE("database: a benchmark of it runs on a copy") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  load_village(database.url());
  const Ended ended = run({{CHIRP_BINARY, "bench", "feed", "--json", "--seconds", "0.01",
                            "--policy", "pull", "--data", database.url()}});
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  const Ended refused = run({{CHIRP_BINARY, "bench", "reference", "--data", database.url()}});
  CHECK(refused.status == 2);
  CHECK(refused.err.find("needs a directory, but --data names a database") != std::string::npos);
}

TEST_CASE("database: doctor finds what is wrong there, and mends it") {
  if (!has_postgres()) return;
  const PostgresDatabase database;
  load_village(database.url());
  postgres::Connection connection({database.url()});
  CHECK(connection.run("delete from card_ids where true").changed() > 0);
  const Ended found = run(chirp_command(database.url(), {"doctor"}));
  CHECK_MESSAGE(found.status == 5, to_string(found));
  answered(database.url(), {"doctor", "--repair"});
  CHECK(answered(database.url(), {"doctor"}).find("Everything is right.") != std::string::npos);
}

TEST_CASE("database: the demo is as it says") {
  if (!has_postgres()) return;
  const PostgresDatabase village;
  const PostgresDatabase crowd;
  check_demo(village.url(), crowd.url());
}

TEST_CASE("database: the demo is as it says over several servers") {
  if (!has_postgres()) return;
  const PostgresNodes village;
  const PostgresNodes crowd;
  check_demo(village.url(), crowd.url());
}

TEST_CASE("database: the demo is as it says on Citus") {
  if (!has_citus()) return;
  const CitusDatabase village;
  const CitusDatabase crowd;
  check_demo(village.url(), crowd.url());
}

}  // namespace chirp::test
