// Goal: `chirp load export` refuses every row that breaks a rule of stored rows and names it, and
// loads settings that guard the server only with the option for that.
// Method: an export written by hand, with one row spoiled in each way; the program loads it.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/load/edge_restorer.h"
#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::import_rules_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTime = "2023-06-01T00:00:00.000Z";
constexpr const char* kEarlier = "2022-06-01T00:00:00.000Z";
constexpr const char* kTooEarly = "1990-01-01T00:00:00.000Z";
constexpr const char* kFuture = "2099-01-01T00:00:00.000Z";

// Ids of December 2023, each above the one before.
std::string id(unsigned n) { return std::to_string(3'175'000'000'000'000'000U + n * 5'000U); }

std::string user(unsigned n, const std::string& name, const std::string& more = "") {
  return fmt::format(
      R"({{"userId":"{}","username":"{}","displayName":"{}","bio":"","createdAt":"{}"{}}})", id(n),
      name, name, kTime, more);
}
std::string post(unsigned n, unsigned author, const std::string& privacy = "public",
                 const std::string& more = "", const char* time = kTime) {
  return fmt::format(R"({{"postId":"{}","userId":"{}","content":"words","mediaUrls":[],)"
                     R"("privacy":"{}","createdAt":"{}"{}}})",
                     id(n), id(author), privacy, time, more);
}
std::string repost(unsigned n, unsigned author, unsigned original, unsigned original_author) {
  std::string row = post(n, author, "public",
                         fmt::format(R"(,"repostOf":{{"postId":"{}","userId":"{}"}})", id(original),
                                     id(original_author)));
  return row.replace(row.find("words"), 5, "");
}
std::string comment(unsigned n, unsigned author, unsigned under, unsigned parent = 0,
                    const char* time = kTime) {
  return fmt::format(R"({{"commentId":"{}","postId":"{}","userId":"{}","content":"words",)"
                     R"("parentCommentId":{},"createdAt":"{}"}})",
                     id(n), id(under), id(author), parent == 0 ? "null" : '"' + id(parent) + '"',
                     time);
}
std::string reaction(const char* key, unsigned content, unsigned author, const char* time = kTime) {
  return fmt::format(R"({{"{}":"{}","userId":"{}","likeType":"like","createdAt":"{}"}})", key,
                     id(content), id(author), time);
}
std::string follow(unsigned from, unsigned to, const char* time = kTime) {
  return fmt::format(R"({{"followerId":"{}","followingId":"{}","createdAt":"{}"}})", id(from),
                     id(to), time);
}
std::string block(unsigned from, unsigned to, const char* time = kTime) {
  return fmt::format(R"({{"userId":"{}","otherId":"{}","relation":"block","createdAt":"{}"}})",
                     id(from), id(to), time);
}

// The lines of each file. Users are 1 to 3; posts 11 (public) and 12 (private) are by 1.
using Export = std::map<std::string, std::vector<std::string>>;

Export whole() {
  return {{"users", {user(1, "ada"), user(2, "rolf"), user(3, "mira")}},
          {"posts",
           {post(11, 1), post(12, 1, "private"), post(13, 1, "followers"), repost(14, 2, 11, 1)}},
          {"follows", {follow(2, 1)}},
          {"relations", {block(1, 3)}},
          {"comments",
           {comment(21, 2, 11), comment(22, 1, 11, 21), comment(23, 1, 12), comment(24, 2, 13)}},
          {"reactions", {reaction("postId", 11, 2), reaction("commentId", 21, 1)}}};
}

class Place {
 public:
  void write(const Export& files, const std::string& settings = "{}") const {
    fs::create_directories(folder_ / "in" / "media");
    for (const auto& [name, lines] : files) {
      std::ofstream file(folder_ / "in" / (name + ".jsonl"));
      for (const std::string& line : lines) file << line << '\n';
    }
    std::ofstream(folder_ / "in" / "settings.json") << settings << '\n';
  }
  Ended load(const std::vector<std::string>& more = {}) const {
    const std::string data = (folder_ / "data").string();
    fs::remove_all(data);
    REQUIRE(run(chirp_command(data, {"init"})).ok());
    std::vector<std::string> arguments{"load", "export", (folder_ / "in").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(chirp_command(data, arguments));
  }
  Ended chirp(const std::vector<std::string>& arguments) const {
    return run(chirp_command((folder_ / "data").string(), arguments));
  }

 private:
  TempFolder folder_;
};

// The whole export with one file's lines replaced.
Export with(const std::string& file, std::vector<std::string> lines) {
  Export files = whole();
  files[file] = std::move(lines);
  return files;
}
Export and_row(const std::string& file, const std::string& line) {
  Export files = whole();
  files[file].push_back(line);
  return files;
}

std::string with_id(std::string row, unsigned n, const std::string& other) {
  return row.replace(row.find(id(n)), id(n).size(), other);
}

std::string with_media(std::string row, const std::string& address) {
  constexpr std::string_view kNone = R"("mediaUrls":[])";
  return row.replace(row.find(kNone), kNone.size(), R"("mediaUrls":[")" + address + R"("])");
}

constexpr const char* kHighest = "9223372036854775807";

struct Poison {
  const char* name;
  Export files;
  std::string says;
};

std::vector<Poison> poisons_of_posts() {
  return {
      {"post id", and_row("posts", with_id(post(15, 1), 15, kHighest)), "posts.jsonl:5: the id"},
      {"user id", and_row("users", with_id(user(4, "yuki"), 4, kHighest)), "users.jsonl:4: the id"},
      {"comment id", and_row("comments", with_id(comment(25, 1, 11), 25, kHighest)),
       "comments.jsonl:5: the id"},
      {"user twice", and_row("users", user(3, "yuki")), "users.jsonl:4"},
      {"post twice", and_row("posts", post(11, 2)), "posts.jsonl:5: the id"},
      {"comment twice", and_row("comments", comment(21, 1, 11)), "comments.jsonl:5: the id"},
      {"comment as post", and_row("comments", comment(11, 1, 11)), "comments.jsonl:5: the id"},
      {"source twice",
       with("posts", {post(11, 1, "public", R"(,"sourceId":"7")"),
                      post(12, 1, "public", R"(,"sourceId":"7")")}),
       "posts.jsonl:2: another row has its source id"},
      {"level twice", and_row("posts", post(15, 1, "public", R"(,"privacy":"private")")),
       "\"privacy\" occurs twice"},
      {"script as medium", and_row("posts", with_media(post(15, 1), "javascript:alert(1)")),
       "is not the address of a file"},
      {"file as medium", and_row("posts", with_media(post(15, 1), "x")),
       "is not the address of a file"},
      {"follow twice", with("follows", {follow(3, 2), follow(2, 1), follow(3, 2, kEarlier)}),
       "follows.jsonl:3: this follow is there already"},
      {"follow of nobody", and_row("follows", follow(2, 9)), "follows.jsonl:2: user"},
      {"follow of oneself", and_row("follows", follow(2, 2)), "follows.jsonl:2: nobody follows"},
      {"bad row after a follow of nobody",
       with("follows", {follow(2, 1), follow(9, 1), "no row", follow(3, 1)}), "follows.jsonl:3"},
      {"pending follow", and_row("follows", R"({"status":"pending",)" + follow(2, 1).substr(1)),
       "is not \"active\""},
      {"repost of itself", and_row("posts", repost(15, 2, 15, 2)), "a repost of itself"},
      {"repost of nothing", and_row("posts", repost(15, 2, 16, 1)), "which does not exist"},
      {"repost of private", and_row("posts", repost(15, 2, 12, 1)), "which is not public"},
      {"repost for followers", and_row("posts", repost(15, 2, 13, 1)), "which is not public"},
      {"repost of a repost", and_row("posts", repost(15, 3, 14, 2)), "a repost itself"},
      {"another author", and_row("posts", repost(15, 3, 11, 2)), "by another author"},
      {"words of a repost",
       and_row("posts",
               post(15, 3, "public",
                    fmt::format(R"(,"repostOf":{{"postId":"{}","userId":"{}"}})", id(11), id(1)))),
       "posts.jsonl:5: a repost has no \"content\""},
      {"another type", and_row("posts", post(15, 1, "public", R"(,"postType":"video")")),
       "posts.jsonl:5: \"postType\" is \"video\""},
      {"reposted twice", and_row("posts", repost(15, 2, 11, 1)), "reposts post"},
  };
}

std::vector<Poison> poisons() {
  const auto late = [](unsigned n, const std::string& name) {
    std::string row = user(n, name);
    return row.replace(row.find(kTime), 24, kFuture);
  };
  std::vector<Poison> all = poisons_of_posts();
  const std::vector<Poison> others{
      {"own parent", and_row("comments", comment(25, 1, 11, 25)), "replies to itself"},
      {"circle",
       with("comments", {comment(21, 2, 11, 22), comment(22, 2, 11, 23), comment(23, 2, 11, 21)}),
       "replies to itself, by other comments"},
      {"parent missing", and_row("comments", comment(25, 1, 11, 20)), "which does not exist"},
      {"later parent missing", and_row("comments", comment(25, 1, 11, 26)), "which does not exist"},
      {"parent elsewhere", and_row("comments", comment(25, 1, 13, 21)), "under another post"},
      {"comment on a repost", and_row("comments", comment(25, 1, 14)), "which is a repost"},
      {"comment on nothing", and_row("comments", comment(25, 1, 19)), "which does not exist"},
      {"stranger's comment", and_row("comments", comment(25, 2, 12)), "may not see"},
      {"stranger's reaction", and_row("reactions", reaction("postId", 12, 2)), "may not see"},
      {"stranger's like", and_row("reactions", reaction("commentId", 23, 2)), "may not see"},
      {"reaction to a repost", and_row("reactions", reaction("postId", 14, 1)), "is a repost"},
      {"reaction twice", and_row("reactions", reaction("postId", 11, 2)), "twice"},
      {"follow beside block", and_row("follows", follow(3, 1)), "a block forbids"},
      {"follow by the blocker", and_row("follows", follow(1, 3)), "a block forbids"},
      {"late post", and_row("posts", post(15, 1, "public", "", kFuture)), "after now"},
      {"late comment", and_row("comments", comment(25, 1, 11, 0, kFuture)), "after now"},
      {"late reaction", and_row("reactions", reaction("postId", 11, 3, kFuture)), "after now"},
      {"late follow", and_row("follows", follow(1, 2, kFuture)), "after now"},
      {"late block", and_row("relations", block(2, 3, kFuture)), "after now"},
      {"late user", and_row("users", late(4, "yuki")), "after now"},
      {"early reaction", and_row("reactions", reaction("postId", 11, 3, kTooEarly)),
       "reactions.jsonl:3: its time is 1990-01-01T00:00:00.000Z, which is before 2000"},
      {"early follow", and_row("follows", follow(1, 2, kTooEarly)),
       "follows.jsonl:2: its time is 1990-01-01T00:00:00.000Z, which is before 2000"},
      {"early block", and_row("relations", block(2, 3, kTooEarly)), "which is before 2000"},
      {"early old name",
       and_row("users",
               user(4, "yuki", fmt::format(R"(,"oldName":"kiyu","oldNameUntil":"{}")", kTooEarly))),
       "users.jsonl:4: \"oldNameUntil\" is 1990"},
      {"reaction to nothing", and_row("reactions", reaction("postId", 19, 1)),
       "reactions.jsonl:3: it is to " + id(19) + ", which does not exist"},
      {"block twice", and_row("relations", block(1, 3)),
       "relations.jsonl:2: this block or mute is there already"},
      {"late old name",
       and_row("users",
               user(4, "yuki", fmt::format(R"(,"oldName":"kiyu","oldNameUntil":"{}")", kFuture))),
       "after now"},
      {"old name taken",
       and_row("users",
               user(4, "yuki", R"(,"oldName":"ADA","oldNameUntil":"2024-01-09T00:00:00.000Z")")),
       "the old name ADA"},
      {"later than its id", and_row("posts", post(15, 1, "public", "", "2024-06-01T00:00:00.000Z")),
       "of its id"},
      {"before 2000", and_row("posts", post(15, 1, "public", "", "1999-12-31T23:59:59.999Z")),
       "before 2000"},
      {"feed mark", and_row("users", user(4, "yuki", R"(,"readTo":"9223372036854775807")")),
       "the id"},
      {"events read",
       and_row("users", user(4, "yuki", R"(,"notificationsReadTo":"4611686018427387900")")),
       "\"notificationsReadTo\" is too high"},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

TEST_CASE("import rules: an export that obeys them is taken, and doctor is content") {
  const Place place;
  Export files = whole();
  // A reply that was loaded with an earlier time than what it answers, and such a repost.
  files["comments"].push_back(comment(25, 2, 11, 26));
  files["comments"].push_back(comment(26, 2, 11));
  files["posts"].push_back(repost(10, 3, 11, 1));
  place.write(files);
  const Ended loaded = place.load();
  REQUIRE_MESSAGE(loaded.ok(), to_string(loaded));
  const Ended checked = place.chirp({"doctor"});
  CHECK_MESSAGE(checked.ok(), to_string(checked));
  CHECK(place.chirp({"post", "add", "ada", "more"}).ok());
}

TEST_CASE("import rules: names and bios lose characters that turn the text around them") {
  const Place place;
  Export files = whole();
  std::string row = user(5, "nils");
  row.replace(row.find(R"("displayName":"nils")"), 20,
              "\"displayName\":\"Ni\xE2\x80\xAEls\xE2\x81\xA6\"");
  files["users"].push_back(row);
  place.write(files);
  const Ended loaded = place.load();
  REQUIRE_MESSAGE(loaded.ok(), to_string(loaded));
  const Ended shown = place.chirp({"user", "show", "nils"});
  CHECK_MESSAGE(shown.out.find("Nils") != std::string::npos, to_string(shown));
}

TEST_CASE("import rules: each row that breaks one is refused by its file and line") {
  const Place place;
  const auto is_bulk_matter = [](const Poison& poison) {
    return poison.files.at("follows") != whole().at("follows") ||
           poison.files.at("posts") != whole().at("posts");
  };
  for (const Poison& poison : poisons()) {
    CAPTURE(poison.name);
    place.write(poison.files);
    for (const std::string bulk : {"auto", "always"}) {
      if (bulk == "always" && !is_bulk_matter(poison)) continue;
      CAPTURE(bulk);
      const Ended refused = place.load({"--bulk", bulk});
      CHECK_MESSAGE(refused.status == 1, to_string(refused));
      CHECK_MESSAGE(refused.err.find(poison.says) != std::string::npos, to_string(refused));
      const Ended checked = place.chirp({"doctor"});
      CHECK_MESSAGE(checked.out.find("has no card") == std::string::npos, to_string(checked));
    }
  }
}

TEST_CASE(
    "import rules: of many follows the first bad line is named, and those that come twice count") {
  constexpr unsigned kMany = 190;
  const Place place;
  Export files = whole();
  files = {{"users", {}},     {"posts", {}},    {"follows", {}},
           {"relations", {}}, {"comments", {}}, {"reactions", {}}};
  for (unsigned i = 1; i <= kMany; ++i) files["users"].push_back(user(i, fmt::format("user{}", i)));
  std::vector<std::string>& follows = files["follows"];
  for (unsigned i = 1; i <= kMany; ++i) {
    for (unsigned j = 1; j <= kMany; ++j) {
      if (i != j) follows.push_back(follow(i, j));
    }
  }
  REQUIRE(follows.size() > load::EdgeRestorer::kBulkFrom + 2);
  place.write(files);
  const Ended loaded = place.load();
  REQUIRE_MESSAGE(loaded.ok(), to_string(loaded));
  CHECK(place.chirp({"doctor"}).ok());

  follows.push_back(follow(1, 2, kEarlier));
  place.write(files);
  const Ended twice = place.load();
  CHECK(twice.status == 1);
  CHECK_MESSAGE(twice.err.find("follows.jsonl: 1 follows occur twice") != std::string::npos,
                to_string(twice));

  follows.back() = "no row";
  follows[7] = follow(3, 900);
  place.write(files);
  const Ended bad = place.load();
  CHECK(bad.status == 1);
  CHECK_MESSAGE(bad.err.find("follows.jsonl:8: user") != std::string::npos, to_string(bad));
}

TEST_CASE("import rules: settings that guard a server are taken with --settings alone") {
  const Place place;
  place.write(whole(), R"({"follow.max":7,"auth.bcrypt_cost":18,"http.login_failures":10,)"
                       R"("http.trusted_proxies":"0.0.0.0/0"})");
  const auto value = [&](const char* key) { return place.chirp({"config", "get", key}).out; };
  const Ended loaded = place.load();
  REQUIRE_MESSAGE(loaded.ok(), to_string(loaded));
  CHECK(value("follow.max") == "7\n");
  CHECK(value("auth.bcrypt_cost") == "12\n");
  CHECK(value("http.trusted_proxies") == "none\n");
  CHECK(loaded.err.find("auth.bcrypt_cost, http.trusted_proxies. --settings takes them.") !=
        std::string::npos);
  CHECK(place.chirp({"doctor"}).ok());

  constexpr std::string_view kTooWide =
      "http.trusted_proxies = 0.0.0.0/0 has a network so large that clients could claim any "
      "address";
  const Ended imported = place.load({"--settings"});
  CHECK(imported.status != 0);
  CHECK_MESSAGE(imported.err.find(kTooWide) != std::string::npos, to_string(imported));
  const Ended set = place.chirp({"config", "set", "http.trusted_proxies", "0.0.0.0/0"});
  CHECK(set.status != 0);
  CHECK_MESSAGE(set.err.find(kTooWide) != std::string::npos, to_string(set));
  CHECK(value("auth.bcrypt_cost") == "12\n");
  CHECK(value("http.trusted_proxies") == "none\n");

  place.write(whole(), R"({"auth.bcrypt_cost":19,"http.trusted_proxies":"10.0.0.0/8"})");
  const Ended slow = place.load({"--settings"});
  CHECK(slow.status != 0);
  CHECK_MESSAGE(slow.err.find("a number from 4 to 18") != std::string::npos, to_string(slow));
  CHECK(place.chirp({"config", "set", "auth.bcrypt_cost", "19"}).status == 2);
  CHECK(value("auth.bcrypt_cost") == "12\n");

  place.write(whole(), R"({"auth.bcrypt_cost":18,"http.trusted_proxies":"10.0.0.0/8"})");
  REQUIRE(place.load({"--settings"}).ok());
  CHECK(value("auth.bcrypt_cost") == "18\n");
  CHECK(value("http.trusted_proxies") == "10.0.0.0/8\n");
  CHECK(place.chirp({"doctor"}).ok());
}

}  // namespace chirp::test::import_rules_test
