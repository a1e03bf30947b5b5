// Goal: no command that loads makes a post visible to more people than its source says, and
// --privacy narrows a whole load.
// Method: the program loads what it exported, tables and archives by hand; what each post may be
// seen by is read from an export of the result.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/json_value.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::load_privacy_test {
namespace {

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;
using Levels = std::map<std::string, std::string>;  // by the post's text

class World {
 public:
  World() { must({"init"}); }

  Ended run(const Arguments& arguments, const std::string& data = "data") const {
    return test::run(chirp_command(path(data), arguments));
  }
  std::string must(const Arguments& arguments, const std::string& data = "data") const {
    const Ended ended = run(arguments, data);
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  [[nodiscard]] Levels levels(const std::string& data = "data") const {
    Levels levels;
    const std::string rows =
        must({"query", "SELECT text || '=' || privacy FROM posts WHERE text IS NOT NULL"}, data);
    for (std::size_t at = 0; at < rows.size();) {
      const std::size_t end = rows.find('\n', at);
      const std::string row = rows.substr(at, end - at);
      levels[row.substr(0, row.find('='))] = row.substr(row.find('=') + 1);
      at = end + 1;
    }
    return levels;
  }

 private:
  TempFolder folder_;
};

std::string row(int id, const std::string& author, const std::string& text,
                const std::string& rest = "") {
  return fmt::format(
             R"({{"id":{},"author":"{}","text":"{}","createdAt":"2024-01-01T00:00:00Z"{}}})", id,
             author, text, rest) +
         "\n";
}

}  // namespace

TEST_CASE("load privacy: posts of an export are for the same people again, comments are refused") {
  const World world;
  world.must({"user", "add", "mira"});
  world.must({"user", "add", "olek"});
  for (const char* const level : {"public", "followers", "private"}) {
    world.must({"post", "add", "mira", fmt::format("for {}", level), "--privacy", level});
  }
  world.must({"export", world.path("out")});
  world.must({"init"}, "again");
  world.must({"load", "posts", world.path("out/posts.jsonl")}, "again");
  CHECK(world.levels("again") == Levels{{"for public", "public"},
                                        {"for followers", "followers"},
                                        {"for private", "private"}});
  world.write(
      "comments.jsonl",
      R"({"commentId":"5","postId":"4","userId":"2","username":"mira","content":"below it",)"
      R"("createdAt":"2024-01-01T00:00:00Z"})"
      "\n");
  const Ended refused = world.run({"load", "posts", world.path("comments.jsonl")}, "again");
  CHECK(refused.status == 1);
  CHECK(refused.err.find("chirp load export DIR") != std::string::npos);
  CHECK(world.levels("again").size() == 3);
}

TEST_CASE("load privacy: --privacy narrows, and never widens") {
  const std::string rows = row(1, "mira", "open") +
                           row(2, "mira", "followed", R"(,"privacy":"followers")") +
                           row(3, "mira", "own", R"(,"privacy":"private")") +
                           row(4, "mira", "talk", R"(,"visibility":"direct")");
  const std::map<std::string, Levels> wanted{
      {"public", {{"open", "public"}, {"followed", "followers"}, {"own", "private"}}},
      {"followers", {{"open", "followers"}, {"followed", "followers"}, {"own", "private"}}},
      {"private", {{"open", "private"}, {"followed", "private"}, {"own", "private"}}}};
  for (const auto& [level, levels] : wanted) {
    CAPTURE(level);
    const World world;
    const std::string file = world.write("p.jsonl", rows);
    const std::string said = world.must({"load", "posts", file, "--privacy", level});
    CHECK(said.find("direct messages\t1") != std::string::npos);
    CHECK(world.levels() == levels);
    CHECK(world.must({"load", "posts", file, "--dry-run"}).find("direct messages\t1") !=
          std::string::npos);
  }
  const World world;
  CHECK(world.run({"load", "posts", world.write("p.jsonl", rows), "--privacy", "all"}).status == 2);
}

TEST_CASE("load privacy: a user who is protected has only followers' posts") {
  const std::string user = R"({"id":7,"screen_name":"mira","protected":true})"
                           "\n";
  const std::string post =
      R"({"id":1,"authorId":7,"text":"words","createdAt":"2024-01-01T00:00:00Z"})"
      "\n";
  {
    const World world;
    world.must({"load", "posts", world.write("p.jsonl", user + post)});
    CHECK(world.levels() == Levels{{"words", "followers"}});
  }
  {
    const World world;
    const std::string names = world.write("n.csv", "id,name,protected\n7,mira,true\n");
    const std::string posts = world.write("p.jsonl", post);
    world.must({"load", "posts", posts, "--names", names});
    CHECK(world.levels() == Levels{{"words", "followers"}});
    // --columns is about posts, so it can't help here.
    world.write("n.csv", "id,name,protected\n7,mira,sideways\n");
    const Ended refused = world.run({"load", "posts", posts, "--names", names});
    CHECK(refused.err.find("\"protected\" is \"sideways\"") != std::string::npos);
    CHECK(refused.err.find("--columns") == std::string::npos);
  }
  {
    const World world;
    const std::string late = world.write("p.jsonl", post + user);
    for (const char* const dry : {"", "--dry-run"}) {
      Arguments load{"load", "posts", late};
      if (*dry != '\0') load.emplace_back(dry);
      const Ended refused = world.run(load);
      CHECK(refused.status == 1);
      CHECK(refused.err.find("put rows of users first") != std::string::npos);
    }
    CHECK(world.levels().empty());
    world.must({"load", "posts", late, "--privacy", "followers"});
    CHECK(world.levels() == Levels{{"words", "followers"}});
  }
}

TEST_CASE("load privacy: a user who is protected anywhere is protected in all posts") {
  const std::string page =
      R"({"data":[{"id":"1","author_id":"12","text":"one","created_at":"2024-01-01T00:00:00Z"}])";
  const auto users = [](const std::string& all) {
    return R"(,"includes":{"users":[)" + all + "]}}\n";
  };
  const std::string shown = R"({"id":"12","username":"mira","protected":false})";
  const std::string hidden = R"({"id":"12","username":"mira","protected":true})";
  const std::string flat =
      R"({"id":"2","author_id":"12","text":"two","created_at":"2024-01-01T00:00:00Z"})"
      "\n";
  const std::string whole = R"({"id_str":"1","text":"one","created_at":"2024-01-01T00:00:00Z",)"
                            R"("user":{"id_str":"12","screen_name":"mira","protected":true}})"
                            "\n";
  const std::string inside =
      R"({"id_str":"3","text":"RT @mira: one","created_at":"2024-01-01T00:00:00Z",)"
      R"("user":{"id_str":"13","screen_name":"olek"},"retweeted_status":)" +
      whole.substr(0, whole.size() - 1) + "}\n";
  const std::string table = "id,author.id,text,created_at,author.protected\n";
  const std::string first = "1,12,one,2024-01-01T00:00:00Z,True\n";
  const std::string second = "2,12,two,2024-01-01T00:00:00Z,\n";
  struct Order {
    std::string file;
    bool is_first;  // what says that the user is protected
  };
  for (const Order& order : {
           Order{page + users(hidden) + flat, true},
           Order{page + users(shown + "," + hidden) + flat, true},
           Order{whole + flat, true},
           Order{inside + flat, true},
           Order{table + first + second, true},
           Order{flat + page + users(hidden), false},
           Order{flat + whole, false},
           Order{flat + inside, false},
           Order{table + second + first, false},
       }) {
    CAPTURE(order.file);
    const World world;
    const Ended ended = world.run({"load", "posts", world.write("p.txt", order.file)});
    CHECK_MESSAGE(ended.ok() == order.is_first, to_string(ended));
    if (!order.is_first)
      CHECK(ended.err.find("public posts of this user came") != std::string::npos);
    const Levels levels = world.levels();
    CHECK(levels.contains("two") == order.is_first);
    for (const auto& [text, level] : levels) CHECK_MESSAGE(level != "public", text);
  }
}

TEST_CASE("load privacy: users without posts are counted if they are protected") {
  const World world;
  const std::string file =
      world.write("u.jsonl", R"({"id":7,"screen_name":"mira","protected":true})"
                             "\n"
                             R"({"id":8,"screen_name":"olek","protected":false})"
                             "\n");
  const Ended ended = world.run({"load", "posts", file});
  CHECK_MESSAGE(ended.ok(), to_string(ended));
  CHECK(ended.out.find("protected users\t1") != std::string::npos);
  CHECK(ended.err.find("mira shows posts to followers only") != std::string::npos);
}

TEST_CASE("load privacy: columns that are about something else are named") {
  const World world;
  const std::string file = world.write("p.csv",
                                       "id,author,text,createdAt,visibility,audience\n"
                                       "1,mira,words,2024-01-01T00:00:00Z,10 km,5000\n");
  const Ended refused = world.run({"load", "posts", file});
  CHECK(refused.status == 1);
  CHECK(refused.err.find("--columns visibility=-") != std::string::npos);
  CHECK(world.levels().empty());
  world.must({"load", "posts", file, "--columns", "visibility=-,audience=-"});
  CHECK(world.levels() == Levels{{"words", "public"}});
}

TEST_CASE("load privacy: an archive is narrowed as a whole") {
  const World world;
  world.write("old/data/js/user_details.js",
              R"(var user_details = {"id":"5","screen_name":"mira"})");
  world.write("old/data/js/tweets/2013_05.js",
              R"(Grailbird.data.tweets_2013_05 = [{"id_str":"1","text":"words",)"
              R"("created_at":"2013-05-31 22:29:28 +0000"}])");
  world.must({"load", "archive", world.path("old"), "--privacy", "followers"});
  CHECK(world.levels() == Levels{{"words", "followers"}});
}

TEST_CASE("load privacy: events with a column about visibility are refused") {
  const World world;
  world.must({"load", "graph", world.write("g.txt", "1 2\n")});
  const std::string file = world.write("e.csv", "user,other,likes,visibility\n1,2,1,private\n");
  const Ended refused = world.run({"load", "events", file});
  CHECK(refused.status == 1);
  CHECK(refused.err.find("e.csv:1: the header has a column \"visibility\"") != std::string::npos);
}

}  // namespace chirp::test::load_privacy_test
