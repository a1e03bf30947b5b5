// Goal: every command says what it is documented to say, on the right stream, with the right
// status. Method: the files in testdata/cli are run against the program, with a stopped clock.
#include "tests/support/golden.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace chirp::test {
namespace {

void check_golden(const std::string& name) {
  const auto file = std::filesystem::path(CHIRP_SOURCE_DIR) / "testdata" / "cli" / (name + ".txt");
  for (const GoldenMismatch& mismatch : run_golden(file)) {
    FAIL_CHECK(file.string() << ":" << mismatch.line << "\n$ " << mismatch.command
                             << "\n--- expected\n"
                             << mismatch.expected << "--- said\n"
                             << mismatch.actual);
  }
}

}  // namespace

TEST_CASE("command line: init, help and version") { check_golden("start"); }
TEST_CASE("command line: user") { check_golden("user"); }
TEST_CASE("command line: suspensions and renames") { check_golden("state"); }
TEST_CASE("command line: post") { check_golden("post"); }
TEST_CASE("command line: follow") { check_golden("follow"); }
TEST_CASE("command line: feed") { check_golden("feed"); }
TEST_CASE("command line: reposts, privacy, blocks and mutes") { check_golden("social"); }
TEST_CASE("command line: reactions, comments and notifications") { check_golden("talk"); }
TEST_CASE("command line: lists of one user") { check_golden("lists"); }
TEST_CASE("command line: config") { check_golden("config"); }
TEST_CASE("command line: query") { check_golden("query"); }
TEST_CASE("command line: log and stats") { check_golden("log"); }
TEST_CASE("command line: status") { check_golden("status"); }
TEST_CASE("command line: trend and keys") { check_golden("trend"); }
TEST_CASE("command line: seed") { check_golden("seed"); }
TEST_CASE("command line: plan") { check_golden("plan"); }
TEST_CASE("command line: export and load export") { check_golden("export"); }
TEST_CASE("command line: load posts and events") { check_golden("load"); }
TEST_CASE("command line: what files say") { check_golden("files"); }
TEST_CASE("command line: ids that are words") { check_golden("words"); }
TEST_CASE("command line: dry runs of loads") { check_golden("dry"); }
TEST_CASE("command line: loads of folders") { check_golden("folder"); }
TEST_CASE("command line: files of nodes and edges") { check_golden("graphs"); }
TEST_CASE("command line: archives of Mastodon accounts") { check_golden("mastodon"); }
TEST_CASE("command line: lists of accounts") { check_golden("accounts"); }
TEST_CASE("command line: load archive") { check_golden("archive"); }
TEST_CASE("command line: tables, lists, sets and pairs") { check_golden("shapes"); }
TEST_CASE("command line: doctor, backup, restore and compact") { check_golden("keep"); }
TEST_CASE("command line: media and tokens") { check_golden("media"); }
TEST_CASE("command line: global options") { check_golden("globals"); }

TEST_CASE("command line: every golden file has a test") {
  const std::vector<std::string> known{
      "start",    "user",  "post",   "follow", "feed",   "social", "talk",     "config",
      "log",      "trend", "export", "load",   "words",  "keep",   "globals",  "media",
      "files",    "dry",   "folder", "shapes", "query",  "state",  "accounts", "archive",
      "mastodon", "lists", "seed",   "plan",   "status", "graphs"};
  for (const auto& entry : std::filesystem::directory_iterator(CHIRP_SOURCE_DIR "/testdata/cli")) {
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    CHECK(std::find(known.begin(), known.end(), name) != known.end());
  }
}

}  // namespace chirp::test
