// Goal: a post that its author has deleted is not in the store after the load, wherever in the load
// its deletion is, and posts of others stay.
// Method: the program loads streams whose deletions come before the post, after it, in another file
// and from another author; a dry run says the same figures.
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/json_value.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::deletions_test {
namespace {

std::string tweet(int id, int author, const std::string& more = "") {
  return fmt::format(
      R"({{"id_str":"{}","created_at":"Mon Jan 02 10:00:{:02} +0000 2012","text":"t{}","user":)"
      R"({{"id_str":"{}","screen_name":"user{}"}}{}}})"
      "\n",
      id, id, id, author, author, more);
}
std::string deletion(int id, int author) {
  return fmt::format(R"({{"delete":{{"status":{{"id_str":"{}","user_id_str":"{}"}}}}}})"
                     "\n",
                     id, author);
}

class World {
 public:
  World() { REQUIRE(run({"init"}).ok()); }

  Ended run(const std::vector<std::string>& arguments) const {
    return test::run(chirp_command((folder_ / "data").string(), arguments));
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream((folder_ / name).string(), std::ios::binary) << text;
    return (folder_ / name).string();
  }
  // Loads the files: "stored deleted".
  std::string load(std::vector<std::string> files, bool dry) const {
    files.insert(files.begin(), {"load", "posts"});
    files.insert(files.end(), {"--json"});
    if (dry) files.emplace_back("--dry-run");
    const Ended ended = run(files);
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    const auto field = [&](const std::string& name) {
      const std::size_t at = ended.out.find(fmt::format("\"{}\":", name));
      return at == std::string::npos ? 0 : std::stoi(ended.out.substr(at + name.size() + 3));
    };
    return fmt::format("{} {}", field(dry ? "wouldStore" : "stored"), field("deletedPosts"));
  }
  [[nodiscard]] std::string texts() const {
    const Ended ended =
        run({"query", "SELECT text FROM posts WHERE text IS NOT NULL ORDER BY text"});
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  }

 private:
  TempFolder folder_;
};

}  // namespace

TEST_CASE("deletions: before the post, after it, in another file, by somebody else") {
  const World world;
  const std::string stream =
      world.write("a.jsonl", deletion(1, 4) + tweet(1, 4) + tweet(2, 4) + tweet(3, 5) +
                                 tweet(6, 4) + deletion(2, 4) + deletion(3, 4) + deletion(9, 4));
  const std::string later = world.write("b.jsonl", tweet(7, 4) + deletion(6, 4));
  CHECK(world.load({stream, later}, true) == "2 3");
  CHECK(world.load({stream, later}, false) == "2 3");
  CHECK(world.texts() == "t3\nt7\n");
  // The same again changes nothing.
  CHECK(world.load({stream, later}, false) == "0 3");
  CHECK(world.texts() == "t3\nt7\n");
}

TEST_CASE("deletions: a reply and a retweet are deleted, and the original stays") {
  const World world;
  const std::string inner = tweet(1, 4).substr(0, tweet(1, 4).size() - 1);
  const std::string stream =
      world.write("a.jsonl", tweet(1, 4) + tweet(2, 5, R"(,"in_reply_to_status_id_str":"1")") +
                                 tweet(3, 5, ",\"retweeted_status\":" + inner) + deletion(2, 5) +
                                 deletion(3, 5));
  CHECK(world.load({stream}, false) == "1 2");
  CHECK(world.texts() == "t1\n");
  const Ended rows =
      world.run({"query", "SELECT (SELECT count(*) FROM posts), (SELECT count(*) FROM comments)"});
  CHECK_MESSAGE(rows.out.find("1\t0") != std::string::npos, rows.out);
}

}  // namespace chirp::test::deletions_test
