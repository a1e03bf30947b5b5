// Goal: `chirp query` reads only, nothing secret, no users who are being removed or suspended, and
// ends when its time or its memory is used up.
// Method: what it must refuse, in every way that SQLite offers; a clock that moves as it is read.
#include <algorithm>
#include <map>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "store/query/table.h"
#include "tests/support/query_world.h"

namespace chirp::test {

TEST_CASE("query: nothing but one SELECT over the tables") {
  QueryWorld world(9, 4);
  for (const char* sql : {"INSERT INTO users (id) VALUES (1)",
                          "UPDATE users SET bio = ''",
                          "DELETE FROM posts",
                          "CREATE TABLE t (a)",
                          "CREATE TEMP TABLE t (a)",
                          "CREATE VIEW v AS SELECT 1",
                          "CREATE VIRTUAL TABLE t USING fts5(a)",
                          "DROP TABLE users",
                          "ATTACH 'x.db' AS x",
                          "ATTACH ':memory:' AS x",
                          "DETACH main",
                          "VACUUM",
                          "VACUUM INTO 'x.db'",
                          "BEGIN",
                          "COMMIT",
                          "SAVEPOINT s",
                          "PRAGMA table_info(users)",
                          "PRAGMA temp_store = FILE",
                          "PRAGMA writable_schema = ON",
                          "PRAGMA database_list",
                          "ANALYZE",
                          "REINDEX",
                          "SELECT * FROM sqlite_master",
                          "SELECT sql FROM sqlite_schema",
                          "SELECT * FROM pragma_table_info('users')",
                          "SELECT * FROM pragma_database_list",
                          "SELECT * FROM pragma_function_list",
                          "SELECT * FROM sqlite_stmt",
                          "SELECT * FROM sqlite_dbpage",
                          "SELECT * FROM dbstat",
                          "SELECT load_extension('x')",
                          "SELECT fts3_tokenizer('simple')",
                          "SELECT sqlite_log(1, 'x')",
                          "SELECT rtreecheck('main', 'users')",
                          "SELECT readfile('/etc/passwd')",
                          "SELECT writefile('x', 'y')",
                          "SELECT password FROM users",
                          "SELECT * FROM tokens",
                          "SELECT * FROM media",
                          "SELECT * FROM main.user_search",
                          "SELECT rowid FROM follows",
                          "SELECT ?",
                          "SELECT :name",
                          "",
                          " ",
                          "-- nothing",
                          ";",
                          "EXPLAIN DELETE FROM users"}) {
    CHECK_FALSE(world.refusal(sql).empty());
  }
  CHECK(world.refusal("SELECT 1; SELECT 2").find("a second statement, at line 1, column 10") !=
        std::string::npos);
  CHECK(world.refusal("SELECT 1; DROP").find("a second statement") != std::string::npos);
  CHECK(world.refusal(std::string("SELECT 1\0", 9)).find("NUL") != std::string::npos);
  CHECK(world.refusal("SELECT 1,\n  'é', nme FROM users")
            .find("no such column: nme, at line 2, column 8.") != std::string::npos);
  CHECK(world.refusal("SELEC 1").find("near \"SELEC\": syntax error, at line 1, column 1.") !=
        std::string::npos);
  CHECK(world.ask("SELECT 1; -- that is all\n;;") == Lines{{"1"}});
  CHECK(world.ask("VALUES (1), (NULL)") == Lines{{"1"}, {"NULL"}});
  CHECK(world.ask("WITH some AS (SELECT id FROM users) SELECT count(*) FROM some") == Lines{{"4"}});
  CHECK(world.ask("SELECT value FROM json_each('[7]')") == Lines{{"7"}});
}

TEST_CASE("query: no password, no token, in whatever way it is asked") {
  QueryWorld world(10, 5);
  for (std::size_t i = 0; i < world.all.size(); ++i) {
    REQUIRE(world.directory.password_hash(world.all[i].number));
  }
  for (const query::QueryTable& table : query::tables()) {
    for (const Line& line : world.ask(fmt::format("SELECT * FROM {}", table.name))) {
      for (const std::string& cell : line) {
        CHECK(cell.find("the secret of") == std::string::npos);
        for (const std::string& token : world.tokens) {
          CHECK(cell.find(token) == std::string::npos);
        }
      }
    }
    for (const query::Column& column : table.columns) {
      CHECK(column.name.find("password") == std::string_view::npos);
      CHECK(column.name.find("token") == std::string_view::npos);
    }
  }
}

TEST_CASE("query: users who are being removed are hidden, with everything that belongs to them") {
  QueryWorld world(11);
  const User gone = world.all[1];
  const std::string id = std::to_string(gone.id.value);
  const auto count = [&](const std::string& of) {
    return world.ask("SELECT count(*) FROM " + of)[0][0];
  };
  REQUIRE(count("posts WHERE author = " + id) != "0");
  const auto before = world.storage.snapshot();
  const Change mark = MarkRemoved{gone.number};
  world.storage.write({&mark, 1}, world.clock.now());
  REQUIRE(world.directory.find(gone.number));
  REQUIRE_FALSE(world.storage.snapshot()->traces_of(gone.number).empty());
  for (const query::QueryTable& table : query::tables()) {
    CAPTURE(table.name);
    for (const Line& line : world.ask(fmt::format("SELECT * FROM {}", table.name))) {
      CHECK(std::find(line.begin(), line.end(), id) == line.end());
    }
  }
  CHECK(count("users WHERE username = 'Person1'") == "0");
  CHECK(count("users WHERE id = " + id) == "0");
  CHECK(count("follows WHERE follower = " + id + " OR followee = " + id) == "0");
  const std::string others = "posts p JOIN posts o ON o.id = p.repost_of";
  CHECK(count(others) == count("posts WHERE repost_of IS NOT NULL"));
  CHECK(count("reactions WHERE content NOT IN (SELECT id FROM posts)") == "0");
  CHECK(count("comments WHERE post NOT IN (SELECT id FROM posts)") == "0");
  CHECK(count("post_counters") == count("posts WHERE repost_of IS NULL"));
  // A snapshot of before says what was.
  CHECK(world.ask_of(*before, "SELECT username FROM users WHERE id = " + id) == Lines{{"Person1"}});
}

TEST_CASE("query: a removed post takes with it what hangs on it, before that is gone") {
  QueryWorld world(12);
  const auto most = world.ask("SELECT post FROM post_counters ORDER BY reactions + reposts DESC");
  const PostId post{std::stoull(most[0][0])};
  const Change removal = RemovePost{post};
  world.storage.write({&removal, 1}, world.clock.now());
  REQUIRE(world.storage.snapshot()->state().post_removals != 0);
  const std::string id = std::to_string(post.value);
  for (const char* what :
       {"posts WHERE id = ", "posts WHERE repost_of = ", "reactions WHERE content = ",
        "comments WHERE post = ", "post_counters WHERE post = ", "hashtags WHERE post = "}) {
    CAPTURE(what);
    CHECK(world.ask("SELECT count(*) FROM " + (what + id))[0][0] == "0");
  }
}

TEST_CASE("query: a snapshot knows nothing of what is written after it") {
  QueryWorld world(13, 6);
  const auto snapshot = world.storage.snapshot();
  const auto posts = world.ask_of(*snapshot, "SELECT * FROM posts");
  const auto counters = world.ask_of(*snapshot, "SELECT * FROM counters");
  world.posts.publish(world.all[1], "later");
  CHECK(world.ask_of(*snapshot, "SELECT * FROM posts") == posts);
  CHECK(world.ask_of(*snapshot, "SELECT * FROM counters") == counters);
  CHECK(world.ask("SELECT * FROM posts").size() == posts.size() + 1);
}

namespace {

// A clock on which each look takes so long.
class SlowClock final : public Clock {
 public:
  explicit SlowClock(std::int64_t look_ms) : step_(look_ms * 1'000'000) {}
  [[nodiscard]] Time now() const override { return {}; }
  [[nodiscard]] std::int64_t steady_ns() const override { return steady_ += step_; }

 private:
  std::int64_t step_;
  mutable std::int64_t steady_ = 0;
};

}  // namespace

TEST_CASE("query: it ends when its time is up, inside of a step too") {
  QueryWorld world(14, 40);
  const auto snapshot = world.storage.snapshot();
  // The number of looks at the clock it takes; each is 100 ms of a second.
  const auto ends = [&](const char* sql) {
    const SlowClock clock(100);
    Query query(*snapshot, world.directory, clock, {1, 512});
    query.ask(sql);
    const Error error = error_of([&] {
      while (query.next()) continue;
    });
    CHECK(error.code() == ErrorCode::kUnavailable);
    CHECK(std::string(error.what()).find("after 1 s") != std::string::npos);
  };
  ends("WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
  // So few operations that SQLite does not ask: the tables look themselves.
  ends("SELECT count(*) FROM follows a, users");
}

TEST_CASE("query: it ends when its memory is used up, and leaves the bound as it was") {
  QueryWorld world(15, 4);
  const auto before = sqlite3_hard_heap_limit64(-1);
  const Error error = error_of([&] {
    (void)world.ask(
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 2000000) "
        "SELECT max(i) FROM (SELECT i FROM n ORDER BY i % 7, i DESC LIMIT 1000000)",
        {30, 16});
  });
  CHECK(error.code() == ErrorCode::kUnavailable);
  CHECK(std::string(error.what()).find("more than 16 MB") != std::string::npos);
  CHECK(sqlite3_hard_heap_limit64(-1) == before);
  CHECK(error_of([&] { (void)world.ask("SELECT zeroblob(900000000)"); }).code() ==
        ErrorCode::kInvalidArgument);
}

namespace {

std::map<std::string, Lines> all_of(QueryWorld& world) {
  std::map<std::string, Lines> tables;
  for (const query::QueryTable& table : query::tables()) {
    const std::string name(table.name);
    tables[name] = world.sorted("SELECT * FROM " + name);
  }
  return tables;
}

}  // namespace

TEST_CASE("query: suspended users are in no table, and come back in all of them") {
  QueryWorld world(7);
  for (const std::size_t at : {1U, 4U, 5U}) {
    CAPTURE(at);
    const User user = world.all[at];
    const auto before = all_of(world);
    (void)world.accounts.suspend(user);
    const std::string id = std::to_string(user.id.value);
    std::size_t hidden = 0;
    for (const auto& [name, lines] : all_of(world)) {
      for (const Line& line : lines) {
        CHECK_MESSAGE(std::find(line.begin(), line.end(), id) == line.end(), name);
      }
      if (name != "events") hidden += before.at(name).size() - lines.size();
    }
    CHECK(hidden > 3);
    CHECK(world.ask("SELECT 1 FROM users WHERE id = " + id).empty());
    CHECK(world.ask("SELECT 1 FROM posts WHERE author = " + id).empty());
    CHECK(world.ask("SELECT 1 FROM counters WHERE user = " + id).empty());
    // Reposts of what is hidden, and what hangs on it, are hidden too.
    CHECK(world
              .ask("SELECT 1 FROM posts r WHERE r.repost_of IS NOT NULL AND NOT EXISTS "
                   "(SELECT 1 FROM posts o WHERE o.id = r.repost_of)")
              .empty());
    CHECK(world
              .ask("SELECT 1 FROM comments WHERE NOT EXISTS "
                   "(SELECT 1 FROM posts WHERE id = comments.post)")
              .empty());
    (void)world.accounts.unsuspend(user);
    CHECK(all_of(world) == before);
  }
}

}  // namespace chirp::test
