// Goal: a load of an archive keeps to the bounds that are set, joins nobody who merely has its
// name, and does what its dry run says. Method: the program over archives by hand; the summary of
// each dry run is held against that of the load after it.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;
using Facts = std::map<std::string, std::string>;

const fs::path kArchives = fs::path(CHIRP_SOURCE_DIR) / "testdata" / "archives";

// The lines of a summary by their names.
Facts facts_of(const std::string& summary) {
  Facts facts;
  std::istringstream lines(summary);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) facts[line.substr(0, tab)] = line.substr(tab + 1);
  }
  return facts;
}

// What a dry run can know: all but files, time and what is shown of the input.
Facts foretold(const std::string& summary) {
  static const std::set<std::string> kOthers{"input", "format",     "encoding",
                                             "row",   "files kept", "skipped, media refused",
                                             "time",  "rate",       "names cut or numbered"};
  Facts facts = facts_of(summary);
  std::erase_if(facts, [](const auto& fact) { return kOthers.contains(fact.first); });
  if (auto would = facts.extract("would store"); !would.empty()) {
    would.key() = "stored";
    facts.insert(std::move(would));
  }
  return facts;
}

std::string to_text(const Facts& facts) {
  std::string text;
  for (const auto& [name, value] : facts) text += fmt::format("{}: {}\n", name, value);
  return text;
}

class Directory {
 public:
  Directory() { (void)must({"init"}); }

  [[nodiscard]] Ended run(const Arguments& arguments) const {
    return test::run(chirp_command((folder_ / "data").string(), arguments));
  }
  std::string must(const Arguments& arguments) const {
    const Ended ended = run(arguments);
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return ended.out;
  }
  std::string query(const std::string& sql) const { return must({"query", sql}); }
  void write(const std::string& name, std::string_view text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

 private:
  TempFolder folder_;
};

// An archive of before 2019 that says a name and no id.
void write_nameless(const Directory& there) {
  there.write("old/data/js/user_details.js", R"(var user_details = {"screen_name":"mira"})");
  there.write("old/data/js/tweets/2013_05.js",
              R"(Grailbird.data.tweets_2013_05 = [{"id_str":"1","text":"words",)"
              R"("created_at":"2013-05-31 22:29:28 +0000"}])");
}

}  // namespace

TEST_CASE("archive loads: a dry run says what the load does") {
  for (const char* name : {"twitter-2022", "twitter-2013", "mastodon"}) {
    for (const bool as_new : {false, true}) {
      CAPTURE(name);
      CAPTURE(as_new);
      const Directory there;
      Arguments load{"load", "archive", (kArchives / name).string()};
      if (as_new) load.insert(load.end(), {"--as", "newcomer"});
      Arguments dry = load;
      dry.emplace_back("--dry-run");
      for (int round = 0; round < 2; ++round) {
        const std::string said = to_text(foretold(there.must(dry)));
        CHECK(to_text(foretold(there.must(load))) == said);
      }
    }
  }
}

TEST_CASE("archive loads: an archive without an id joins nobody who merely has its name") {
  const Directory there;
  there.must({"user", "add", "mira"});
  write_nameless(there);
  for (const char* dry : {"", "--dry-run"}) {
    Arguments load{"load", "archive", there.path("old")};
    if (*dry != '\0') load.emplace_back(dry);
    const Ended refused = there.run(load);
    CHECK(refused.status == 1);
    CHECK(refused.err.find("says the name mira and no id") != std::string::npos);
    CHECK(refused.err.find("--as NAME") != std::string::npos);
  }
  CHECK(there.query("SELECT count(*) FROM posts") == "0\n");
  CHECK(there.query("SELECT count(*) FROM users") == "1\n");
  there.must({"load", "archive", there.path("old"), "--as", "other"});
  CHECK(there.query("SELECT count(*) FROM users") == "2\n");
  CHECK(facts_of(there.must({"user", "show", "mira"}))["posts"] == "0");
  CHECK(facts_of(there.must({"user", "show", "other"}))["posts"] == "1");
  // With an id, too, a name says nothing: the account gets another one.
  const Directory with_id;
  with_id.must({"user", "add", "mira_archive"});
  with_id.must({"load", "archive", (kArchives / "twitter-2022").string()});
  CHECK(facts_of(with_id.must({"user", "show", "mira_archive"}))["posts"] == "0");
  CHECK(facts_of(with_id.must({"user", "show", "source:501"}))["posts"] == "6");
}

TEST_CASE("archive loads: --as joins nobody who is suspended") {
  const Directory there;
  there.must({"user", "add", "mira"});
  there.must({"user", "suspend", "mira"});
  write_nameless(there);
  CHECK_FALSE(there.run({"load", "archive", there.path("old"), "--as", "mira"}).ok());
  CHECK(there.query("SELECT count(*) FROM posts") == "0\n");
}

TEST_CASE("archive loads: files are kept up to media.max, and others counted") {
  const std::string archive = (kArchives / "twitter-2022").string();
  const Directory all;
  CHECK(facts_of(all.must({"load", "archive", archive}))["files kept"] == "3");
  // No file is so small.
  const Directory none;
  none.must({"config", "set", "media.max", "1"});
  const Ended loaded = none.run({"load", "archive", archive});
  REQUIRE(loaded.ok());
  Facts facts = facts_of(loaded.out);
  CHECK_FALSE(facts.contains("files kept"));
  CHECK(facts["skipped, media beyond max"] == "3");
  CHECK(facts["skipped, media refused"] == "1");
  CHECK(loaded.err.find("is not kept: ") != std::string::npos);
  // The tweet stays, with the link to its pictures.
  CHECK(none.query("SELECT text FROM posts WHERE text LIKE 'Two pictures%'") ==
        "Two pictures from the quay https://t.co/pic1\n");
}

TEST_CASE("archive loads: a text too long for a post is left out and said, with line and id") {
  const Directory there;
  const auto note = [](std::string_view id, std::size_t length) {
    return fmt::format(
        R"({{"type":"Create","object":{{"type":"Note","id":"{}","content":"<p>{}</p>",)"
        R"("published":"2022-11-20T14:58:08Z",)"
        R"("to":["https://www.w3.org/ns/activitystreams#Public"]}}}})",
        id, std::string(length, 'x'));
  };
  there.write("m/actor.json", R"({"id":"https://tern.example/users/mira",)"
                              R"("preferredUsername":"mira"})");
  there.write(
      "m/outbox.json",
      fmt::format("{{\"orderedItems\":[\n{},\n{},\n{}]}}", note("https://tern.example/1", 1000),
                  note("https://tern.example/2", 1001), note("https://tern.example/3", 5000)));
  for (const bool dry : {true, false}) {
    Arguments load{"load", "archive", there.path("m")};
    if (dry) load.emplace_back("--dry-run");
    const Ended ended = there.run(load);
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    Facts facts = facts_of(ended.out);
    CHECK(facts[dry ? "would store" : "stored"] == "1");
    CHECK(facts["skipped, too long posts"] == "2");
    CHECK_FALSE(facts.contains("bad lines"));
    CHECK(ended.err.find("outbox.json):3: https://tern.example/2: ") != std::string::npos);
    CHECK(ended.err.find("1001 characters; at most 1000") != std::string::npos);
    CHECK(ended.err.find("https://tern.example/3") == std::string::npos);
  }
  const Ended again = there.run({"--verbose", "load", "archive", there.path("m")});
  CHECK(again.err.find("outbox.json):4: https://tern.example/3: ") != std::string::npos);
  CHECK(there.query("SELECT count(*) FROM posts") == "1\n");
}

}  // namespace chirp::test
