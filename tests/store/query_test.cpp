// Goal: `chirp query` says what is stored, whichever way a table is read.
// Method: a random world in the stores in memory. Tables are compared with what the use cases
// wrote; each path of a table with the same rows found by reading all of it.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/query/table.h"
#include "tests/support/query_world.h"

namespace chirp::test {
namespace {

std::string column_list(const query::QueryTable& table, const query::Path& path, const Line& values,
                        const char* before) {
  std::string where;
  for (std::size_t i = 0; i < path.columns.size(); ++i) {
    const auto& column = table.columns[path.columns[i]];
    const std::string value =
        column.type == query::ColumnType::kInteger ? values[i] : "'" + values[i] + "'";
    where += fmt::format("{}{}{} = {}", i == 0 ? "" : " AND ", before, column.name, value);
  }
  return where;
}

}  // namespace

TEST_CASE("query: finds the users with the most followers who never post") {
  for (const unsigned seed : {1u, 2u, 3u}) {
    QueryWorld world(seed);
    std::set<std::uint64_t> posting;
    for (const Line& line : world.ask("SELECT DISTINCT author FROM posts")) {
      posting.insert(std::stoull(line[0]));
    }
    for (const auto& [post, author] : world.texts) CHECK(posting.contains(author));
    std::map<std::uint64_t, int> silent;
    for (const auto& [follower, followee] : world.edges) {
      if (!posting.contains(follower)) ++silent[followee];
    }
    std::vector<std::pair<int, std::string>> expected;
    for (const User& user : world.all) {
      const auto found = silent.find(user.id.value);
      if (found != silent.end()) expected.emplace_back(-found->second, user.username);
    }
    std::sort(expected.begin(), expected.end());
    Lines lines;
    for (const auto& [n, name] : expected) lines.push_back({name, std::to_string(-n)});
    const std::string end = " GROUP BY u.id ORDER BY n DESC, username COLLATE BINARY";
    CHECK(world.ask("SELECT username, count(*) n FROM follows f JOIN users u ON u.id = f.followee "
                    "WHERE NOT EXISTS (SELECT 1 FROM posts WHERE author = f.follower)" +
                    end) == lines);
    CHECK(world.ask("SELECT username, count(*) n FROM follows f JOIN users u ON u.id = f.followee "
                    "JOIN counters c ON c.user = f.follower WHERE c.posts = 0" +
                    end) == lines);
  }
}

TEST_CASE("query: tables show what was written by the use cases") {
  QueryWorld world(4);
  Lines people;
  for (const User& user : world.all) {
    people.push_back({std::to_string(user.id.value), user.username, user.username, "", *user.email,
                      iso8601(user.created_at), "NULL", "NULL"});
  }
  CHECK(world.sorted("SELECT * FROM users") == people);
  Lines edges;
  for (const auto& [a, b] : world.edges) edges.push_back({std::to_string(a), std::to_string(b)});
  CHECK(world.sorted("SELECT follower, followee FROM follows") == edges);
  Lines posts;
  for (const auto& [id, author] : world.texts) {
    posts.push_back({std::to_string(id.value), std::to_string(author), "public"});
  }
  CHECK(world.ask("SELECT id, author, privacy FROM posts WHERE repost_of IS NULL") == posts);
  Lines reacted;
  for (const auto& [post, user] : world.reacted) {
    reacted.push_back({std::to_string(post), std::to_string(user)});
  }
  CHECK(world.sorted("SELECT content, user FROM reactions") == reacted);
  // What is counted is what there is.
  CHECK(world.sorted("SELECT user, followers, following, posts FROM counters") ==
        world.sorted("SELECT id, (SELECT count(*) FROM follows WHERE followee = id), "
                     "(SELECT count(*) FROM follows WHERE follower = id), "
                     "(SELECT count(*) FROM posts WHERE author = users.id) FROM users"));
  CHECK(
      world.ask("SELECT post, likes, sads, reactions, comments, reposts FROM post_counters") ==
      world.ask("SELECT id, (SELECT count(*) FROM reactions WHERE content = id AND kind = 'like'), "
                "(SELECT count(*) FROM reactions WHERE content = id AND kind = 'sad'), "
                "(SELECT count(*) FROM reactions WHERE content = id), "
                "(SELECT count(*) FROM comments WHERE post = posts.id), "
                "(SELECT count(*) FROM posts r WHERE r.repost_of = posts.id) "
                "FROM posts WHERE repost_of IS NULL"));
  CHECK(world.ask("SELECT count(*) FROM comments")[0][0] != "0");
  CHECK(world.ask("SELECT count(*) FROM relations WHERE kind = 'mute'")[0][0] != "0");
  CHECK(world.ask("SELECT count(*) FROM hashtags WHERE tag LIKE 'tag_'")[0][0] ==
        std::to_string(world.texts.size()));
}

TEST_CASE("query: every path of a table gives what reading all of it gives") {
  QueryWorld world(5);
  for (const query::QueryTable& table : query::tables()) {
    for (std::size_t i = 1; i < table.paths.size(); ++i) {
      const query::Path& path = table.paths[i];
      std::string columns;
      for (const std::size_t column : path.columns) {
        columns += fmt::format("{}{}", columns.empty() ? "" : ", ", table.columns[column].name);
      }
      const std::string all = fmt::format("SELECT * FROM {} WHERE ", table.name);
      const Lines values =
          world.ask(fmt::format("SELECT DISTINCT {} FROM {}", columns, table.name));
      CAPTURE(table.name);
      CAPTURE(path.name);
      CHECK(values.size() > 3);
      for (const Line& value : values) {
        const std::string by = all + column_list(table, path, value, "");
        CHECK(world.plan(by).find(fmt::format(":by {}", path.name)) != std::string::npos);
        CHECK(world.sorted(by) == world.sorted(all + column_list(table, path, value, "+")));
      }
      CHECK(world.ask(all + column_list(table, path, Line(path.columns.size(), "77"), "")).empty());
    }
  }
}

TEST_CASE("query: ids bound and order what is read") {
  QueryWorld world(6);
  const auto newest = world.ask("SELECT id FROM posts ORDER BY id DESC LIMIT 3");
  CHECK(world.read <= 40);
  CHECK(world.plan("SELECT id FROM posts ORDER BY id DESC").find("TEMP B-TREE") ==
        std::string::npos);
  Lines all = world.ask("SELECT id FROM posts");
  REQUIRE(all.size() > 20);
  CHECK(Lines(all.rbegin(), all.rbegin() + 3) == newest);
  const std::string middle = all[all.size() / 2][0];
  for (const char* how : {">", ">=", "<", "<="}) {
    for (const char* order : {"", " ORDER BY id", " ORDER BY id DESC"}) {
      const auto of = [&](const char* table) {
        const std::string sign = how;
        return world.ask(fmt::format("SELECT * FROM {} WHERE {}id {} {}{}", table, "", sign, middle,
                                     order)) ==
               world.ask(
                   fmt::format("SELECT * FROM {} WHERE +id {} {}{}", table, sign, middle, order));
      };
      CHECK(of("posts"));
      CHECK(of("comments"));
    }
  }
  const auto author = world.ask("SELECT author FROM posts LIMIT 1")[0][0];
  CHECK(world.ask("SELECT id FROM posts WHERE author = " + author + " AND id > " + middle +
                  " ORDER BY id DESC") ==
        world.ask("SELECT id FROM posts WHERE +author = " + author + " AND +id > " + middle +
                  " ORDER BY +id DESC"));
  CHECK(world.ask("SELECT id FROM posts WHERE id > 'text'").empty());
  CHECK(world.ask("SELECT id FROM posts WHERE id < -5").empty());
  CHECK(world.ask("SELECT id FROM posts WHERE id > 1.5").size() == all.size());
  CHECK(world.ask("SELECT id FROM posts WHERE id = '" + middle + "'").size() == 1);
  CHECK(world.ask("SELECT id FROM posts WHERE id IN (" + middle + ", NULL, 'x', x'00', 1.5)")
            .size() == 1);
}

TEST_CASE("query: two paths at once give no row twice, and names compare whatever their case") {
  QueryWorld world(7);
  const std::string a = std::to_string(world.all[0].id.value);
  const std::string b = std::to_string(world.all[1].id.value);
  const auto either = [&](const char* table, const char* one, const char* other) {
    const std::string all = fmt::format("SELECT * FROM {} WHERE ", table);
    CHECK(world.sorted(fmt::format("{}{} = {} OR {} IN ({}, {})", all, one, a, other, a, b)) ==
          world.sorted(fmt::format("{}+{} = {} OR +{} IN ({}, {})", all, one, a, other, a, b)));
  };
  either("follows", "follower", "followee");
  either("relations", "user", "other");
  either("reactions", "user", "content");
  either("posts", "author", "id");
  CHECK(world.ask("SELECT username FROM users WHERE username = 'pErSoN3'") == Lines{{"Person3"}});
  CHECK(world.read == 1);
  CHECK(world.ask("SELECT username FROM users WHERE username = 'pErSoN3' COLLATE BINARY").empty());
  CHECK(world.ask("SELECT username FROM users WHERE username = 'person3 ' COLLATE RTRIM").empty());
  CHECK(world.ask("SELECT username FROM users WHERE username = 'Person3 ' COLLATE RTRIM").size() ==
        1);
}

TEST_CASE("query: a look-up reads few rows of large tables") {
  QueryWorld world(8, 60);
  const std::string who = std::to_string(world.all[5].id.value);
  const auto followers = world.ask("SELECT follower FROM follows WHERE followee = " + who);
  CHECK(world.read == followers.size());
  (void)world.ask("SELECT 1 FROM follows LIMIT 1");
  CHECK(world.read <= 60);
  (void)world.ask("SELECT username FROM follows JOIN users ON id = follower WHERE followee = " +
                  who);
  CHECK(world.read <= 2 * followers.size());
}

}  // namespace chirp::test
