// Goal: bad input gives a clear message on stderr, the documented status, and changes nothing.
// Method: a table of command lines against one small directory, whose log and export stay as they
// were.
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "core/limits.h"
#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::bad_input_test {
namespace {

struct Case {
  std::vector<std::string> arguments;
  int status;
  std::string says;  // part of what stderr says
};

class SmallWorld {
 public:
  SmallWorld() {
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"init"},
             {"user", "add", "mira", "--email", "mira@example.org"},
             {"user", "add", "yuki"},
             {"follow", "add", "yuki", "mira"},
             {"post", "add", "mira", "First frost"}}) {
      REQUIRE(run(arguments).ok());
    }
  }

  Ended run(const std::vector<std::string>& arguments, const std::string& input = {}) const {
    Command command = chirp_command(data(), arguments);
    command.input = input;
    return test::run(command);
  }
  [[nodiscard]] std::string data() const { return (folder_ / "data").string(); }
  [[nodiscard]] const TempFolder& folder() const { return folder_; }
  // All that commands may change.
  [[nodiscard]] std::string state() const {
    return run({"log", "tail", "--json", "--limit", "1000"}).out +
           run({"user", "list", "--json"}).out + run({"config", "list"}).out;
  }

 private:
  TempFolder folder_;
};

std::string joined(const std::vector<std::string>& arguments) {
  std::string line;
  for (const std::string& argument : arguments) line += " " + argument.substr(0, 40);
  return line;
}

void check_all(const SmallWorld& world, const std::vector<Case>& cases) {
  const std::string before = world.state();
  for (const Case& bad : cases) {
    const Ended ended = world.run(bad.arguments);
    INFO("chirp" << joined(bad.arguments));
    INFO(to_string(ended));
    CHECK(ended.status == bad.status);
    CHECK(ended.out.empty());
    CHECK(ended.err.rfind("chirp: ", 0) == 0);
    CHECK(ended.err.find(bad.says) != std::string::npos);
    CHECK(ended.err.back() == '\n');
    CHECK(ended.err.find('\x1b') == std::string::npos);
  }
  CHECK(world.state() == before);
}

}  // namespace

TEST_CASE("bad input: users, posts and follows") {
  const SmallWorld world;
  const std::string long_text(limits::kPostTextMax + 1, 'x');
  check_all(world,
            {{{"user", "show", "nobody"}, 3, "nobody"},
             {{"feed", "show", "nobody"}, 3, "nobody"},
             {{"post", "add", "nobody", "hello"}, 3, "nobody"},
             {{"post", "show", "1"}, 3, "1"},
             {{"post", "show", "x1"}, 3, "x1"},
             {{"post", "remove", "1"}, 3, "1"},
             {{"follow", "add", "yuki", "nobody"}, 3, "nobody"},
             {{"user", "add", "MIRA"}, 4, "taken"},
             {{"user", "add", "zoe", "--email", "Mira@Example.org"}, 4, "Mira@Example.org"},
             {{"user", "add", "not valid"}, 2, "not valid"},
             {{"user", "add", std::string(limits::kUsernameMax + 1, 'a')}, 2, "15"},
             {{"user", "add", ""}, 2, ""},
             {{"post", "add", "mira", ""}, 2, ""},
             {{"post", "add", "mira", " \n\t "}, 2, ""},
             {{"post", "add", "mira", long_text}, 2, "280"},
             {{"post", "add", "mira", "bad \xff byte"}, 2, "UTF-8"},
             {{"post", "add", "mira", "a\x1b[31mb"}, 2, "control"},
             {{"post", "add", "mira", "a", "--idempotency-key", ""}, 2, "128"},
             {{"post", "add", "mira", "a", "--idempotency-key", "a b"}, 2, "ASCII"},
             {{"post", "add", "mira", "a", "--idempotency-key", "\xc3\xa9"}, 2, "ASCII"},
             {{"post", "add", "mira", "a", "--idempotency-key", std::string(129, 'k')}, 2, "128"},
             {{"trend", "list", "--window", "59m"}, 2, "--window"},
             {{"trend", "list", "--window", "8d"}, 2, "--window"},
             {{"trend", "list", "--window", "0h"}, 2, "--window"},
             {{"trend", "list", "--window", "-1h"}, 2, "--window"},
             {{"trend", "list", "--limit", "101"}, 2, "--limit"},
             {{"config", "set", "trend.half_life", "0s"}, 2, "trend.half_life"},
             {{"user", "add", "zoe", "--display-name", "bad \xc3"}, 2, "UTF-8"},
             {{"follow", "add", "yuki", "YUKI"}, 2, "Name another user."}});
}

TEST_CASE("bad input: pages") {
  const SmallWorld world;
  std::vector<Case> cases{
      {{"user", "list", "--after", "!"}, 2, "--after"},
      {{"follow", "followers", "mira", "--cursor", "!"}, 2, "--cursor"},
      {{"post", "list", "mira", "--before", "soon"}, 2, "--before"},
      {{"feed", "show", "mira", "--before", "1e3"}, 2, "--before"},
      {{"feed", "show", "mira", "--after", "9223372036854775808"}, 2, "--after"},
      {{"feed", "show", "mira", "--after", ""}, 2, "--after"},
      {{"feed", "show", "mira", "--before", "2026-02-30"}, 2, "--before"},
      {{"user", "list", "--match", std::string(limits::kMatchMax + 1, 'x')}, 2, "at most 50"},
      {{"user", "list", "--match", "\xff"}, 2, "not valid UTF-8"},
      {{"log", "tail", "--topic", ""}, 2, "--topic"},
      {{"log", "tail", "--topic", "post..created"}, 2, "--topic"},
      {{"log", "tail", "--topic", "post."}, 2, "--topic"},
  };
  for (const char* limit : {"0", "1000000000", "-1", "1.5", "99999999999999999999999", ""}) {
    cases.push_back({{"user", "list", "--limit", limit}, 2, "--limit"});
    cases.push_back({{"follow", "following", "yuki", "--limit", limit}, 2, "--limit"});
    cases.push_back({{"follow", "followers", "mira", "--limit", limit}, 2, "--limit"});
    cases.push_back({{"post", "list", "mira", "--limit", limit}, 2, "--limit"});
    cases.push_back({{"feed", "show", "yuki", "--limit", limit}, 2, "--limit"});
  }
  check_all(world, cases);
}

TEST_CASE("bad input: files and directories") {
  const SmallWorld world;
  const std::string nowhere = (world.folder() / "nowhere").string();
  const std::string inside = "is inside of the data directory " + world.data();
  const std::string link = (world.folder() / "link").string();
  std::filesystem::create_directory_symlink(world.data(), link);
  check_all(world, {{{"restore", nowhere}, 1, nowhere},
                    {{"backup", world.data() + "/backup"}, 1, inside},
                    {{"backup", link + "/backup"}, 1, inside},
                    {{"export", world.data() + "/media/export"}, 1, inside},
                    {{"export", link + "/export"}, 1, inside},
                    {{"load", "export", nowhere}, 4, "empty"},
                    {{"backup", world.data()}, 4, world.data()},
                    {{"export", world.data()}, 4, world.data()},
                    {{"export", ""}, 2, "DIR is empty"},
                    {{"backup", ""}, 2, "DEST is empty"},
                    {{"restore", ""}, 2, "SRC is empty"},
                    {{"--config", nowhere, "stats"}, 1, nowhere},
                    {{"--config", world.data(), "stats"}, 1, "it is a directory"},
                    {{"config", "set", "feed.cap", "0"}, 2, "feed.cap"},
                    {{"config", "get", "nonsense"}, 2, "nonsense"}});
  CHECK(test::run(chirp_command(nowhere, {"user", "list"})).status == 1);
  CHECK(test::run(chirp_command(nowhere, {"user", "add", "mira"})).status == 1);
  CHECK_FALSE(std::filesystem::exists(nowhere));
}

TEST_CASE("bad input: an unwritable directory is said to be one") {
  if (::geteuid() == 0) {
    MESSAGE("skipped: the superuser may write everywhere");
    return;
  }
  const SmallWorld world;
  const auto locked = world.folder() / "locked";
  std::filesystem::create_directory(locked);
  std::filesystem::permissions(locked, std::filesystem::perms::owner_read);
  const Ended made = test::run(chirp_command((locked / "data").string(), {"init"}));
  CHECK(made.status == 1);
  CHECK(made.err.find("locked") != std::string::npos);
}

TEST_CASE("bad input: a full disk refuses the write and keeps what is there") {
  const SmallWorld world;
  const std::string before = world.state();
  // No file may grow any more: what a full disk is to a file.
  const std::string program = CHIRP_BINARY;
  const Ended ended =
      test::run({.arguments = {"/bin/bash", "-c",
                               "ulimit -f 1; '" + program + "' --data '" + world.data() +
                                   "' post add mira 'does this fit?'"}});
  INFO(to_string(ended));
  CHECK(ended.status == 1);
  CHECK(ended.signal == 0);
  CHECK(ended.err.rfind("chirp: ", 0) == 0);
  CHECK(world.state() == before);
  CHECK(world.run({"doctor"}).ok());
}

TEST_CASE("bad input: a directory of another format version names both versions") {
  const SmallWorld world;
  const auto file = std::filesystem::path(world.data()) / "chirp.format";
  std::string text;
  {
    std::ifstream in(file);
    std::getline(in, text, '\0');
  }
  text.replace(0, text.find('\n'), "chirp-data-directory 999");
  std::ofstream(file) << text;
  for (const char* noun : {"stats", "doctor"}) {
    const Ended ended = world.run({noun});
    INFO(to_string(ended));
    CHECK(ended.status == 1);
    CHECK(ended.err.find("999") != std::string::npos);
  }
}

TEST_CASE("bad input: what may not be seen is not there, what is not public is not reposted") {
  const SmallWorld world;
  const auto published = [&](const char* privacy) {
    const Ended ended = world.run({"post", "add", "mira", "Quiet", "--privacy", privacy, "--json"});
    REQUIRE(ended.ok());
    return ended.out.substr(11, 19);  // {"postId":"…
  };
  const std::string secret = published("private");
  const std::string inner = published("followers");
  REQUIRE(world.run({"user", "add", "troll"}).ok());
  REQUIRE(world.run({"user", "block", "mira", "troll"}).ok());
  check_all(world,
            {{{"post", "add", "mira", "x", "--privacy", "friends"}, 2, "--privacy takes public"},
             {{"post", "repost", "yuki", secret}, 3, "There is no post"},
             {{"post", "repost", "yuki", inner}, 4, "is not public"},
             {{"post", "repost", "mira", secret}, 4, "is not public"},
             {{"post", "repost", "troll", inner}, 3, "There is no post"},
             {{"post", "repost", "yuki", "17"}, 3, "no post"},
             {{"post", "repost", "nobody", inner}, 3, "no user"},
             {{"post", "repost", "yuki"}, 2, "ID is required"},
             {{"post", "unrepost", "yuki", secret}, 3, "There is no post"},
             {{"follow", "add", "troll", "mira"}, 4, "one has blocked the other"},
             {{"follow", "add", "mira", "troll"}, 4, "one has blocked the other"},
             {{"follow", "add", "yuki", "mira", "--reposts", "--no-reposts"}, 2, "exclude"},
             {{"user", "block", "mira", "mira"}, 2, "cannot block themselves. Name"},
             {{"user", "mute", "mira", "mira"}, 2, "cannot mute themselves"},
             {{"user", "mute", "mira", "nobody"}, 3, "no user"},
             {{"user", "unblock", "mira"}, 2, "OTHER is required"}});
}

TEST_CASE("bad input: acts on posts that are hidden since can't be undone, and reveal nothing") {
  const SmallWorld world;
  const auto id_of = [&](const std::vector<std::string>& arguments, std::size_t at) {
    const Ended ended = world.run(arguments);
    REQUIRE_MESSAGE(ended.ok(), to_string(ended));
    return ended.out.substr(at, 19);
  };
  const std::string inner =
      id_of({"post", "add", "mira", "Quiet", "--privacy", "followers", "--json"}, 11);
  const std::string open = id_of({"post", "add", "mira", "Loud", "--json"}, 11);
  const std::string comment = id_of({"comment", "add", "mira", inner, "Hm", "--json"}, 14);
  REQUIRE(world.run({"post", "react", "yuki", inner}).ok());
  REQUIRE(world.run({"comment", "like", "yuki", comment}).ok());
  const std::string repost = id_of({"post", "repost", "yuki", open, "--json"}, 11);
  REQUIRE(world.run({"user", "block", "mira", "yuki"}).ok());
  const std::vector<Case> cases{{{"post", "unreact", "yuki", inner}, 3, "There is no post"},
                                {{"comment", "unlike", "yuki", comment}, 3, "There is no comment"},
                                {{"post", "unrepost", "yuki", open}, 3, "There is no post"}};
  check_all(world, cases);
  check_all(world, cases);  // and it is no other answer the second time
  CHECK(world.run({"post", "remove", repost}).ok());
}

TEST_CASE("bad input: UTF-16 without a mark is recognized, and read with `--encoding`") {
  for (const bool big : {false, true}) {
    const SmallWorld world;
    const std::string file = (world.folder() / "follows.csv").string();
    std::ofstream out(file, std::ios::binary);
    for (const char character : std::string("1,2\n2,3\n")) {
      const char units[] = {big ? '\0' : character, big ? character : '\0'};
      out.write(units, sizeof units);
    }
    out.close();
    const Ended refused = world.run({"load", "graph", file});
    CHECK(refused.status == 1);
    const std::string expected = std::string(":1: column ") + (big ? "1" : "2") +
                                 ", byte 0x00: the text is not UTF-8; it looks like UTF-16: "
                                 "--encoding utf-16 reads it";
    CHECK_MESSAGE(refused.err.find(expected) != std::string::npos, to_string(refused));
    const Ended loaded = world.run({"load", "graph", file, "--encoding", "utf-16"});
    CHECK_MESSAGE(loaded.ok(), to_string(loaded));
    CHECK(world.run({"follow", "check", "source:2", "source:3"}).out == "yes\n");
  }
}

}  // namespace chirp::test::bad_input_test
