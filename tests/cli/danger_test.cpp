// Goal: what can't be undone is shown and asked about at a terminal, and nowhere else; a dry run
// says what would go, and changes nothing. Method: a small world whose counts are known, with
// commands at a pseudo-terminal and without one; what a dry run says of follows is held against the
// command that follows it.
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/json_value.h"
#include "tests/support/seeds.h"
#include "tests/support/temp_folder.h"
#include "tests/support/terminal.h"

namespace chirp::test {
namespace {

using Arguments = std::vector<std::string>;

constexpr const char* kQuestion = ", and can't be undone. Go on? [y/N] ";

// mira has two posts, a repost, a comment, a reaction, two followers and a follow; what was posted
// first has a comment, a reaction and a repost.
class Village {
 public:
  Village() {
    said({"init"});
    for (const char* name : {"mira", "yuki", "zoe"}) said({"user", "add", name});
    said({"follow", "add", "yuki", "mira"});
    said({"follow", "add", "zoe", "mira"});
    said({"follow", "add", "mira", "yuki"});
    post_ = id_of({"post", "add", "mira", "First frost"}, "postId");
    said({"post", "add", "mira", "Second frost"});
    const std::string other = id_of({"post", "add", "yuki", "No frost here"}, "postId");
    said({"post", "repost", "mira", other});
    said({"post", "repost", "zoe", post_});
    said({"post", "react", "mira", other});
    said({"post", "react", "yuki", post_});
    said({"comment", "add", "mira", other, "Lucky you"});
    comment_ = id_of({"comment", "add", "yuki", post_, "Did the kale make it?"}, "commentId");
    said({"comment", "like", "mira", comment_});
    said({"user", "token", "mira"});
    said({"user", "token", "mira"});
    said({"backup", backup()});
  }

  [[nodiscard]] Command command(Arguments arguments) const {
    return chirp_command((folder_ / "data").string(), std::move(arguments));
  }
  [[nodiscard]] Ended ended(Arguments arguments) const {
    return run(command(std::move(arguments)));
  }
  std::string said(Arguments arguments) const {
    const Ended done = ended(std::move(arguments));
    REQUIRE_MESSAGE(done.ok(), to_string(done));
    return done.out;
  }
  // All that the commands here may change.
  [[nodiscard]] std::string state() const {
    return said({"log", "tail", "--json", "--limit", "1000"}) + said({"user", "list", "--json"}) +
           said({"user", "sessions", "mira", "--json"});
  }
  [[nodiscard]] std::string backup() const { return (folder_ / "monday").string(); }
  [[nodiscard]] std::string data() const { return (folder_ / "data").string(); }
  [[nodiscard]] const std::string& post() const { return post_; }
  [[nodiscard]] const std::string& comment() const { return comment_; }

 private:
  std::string id_of(Arguments arguments, const char* key) const {
    arguments.emplace_back("--json");
    return JsonValue::parse(said(std::move(arguments)))[key].text();
  }

  TempFolder folder_;
  std::string post_;
  std::string comment_;
};

struct Danger {
  Arguments arguments;
  std::string question;  // before what all questions have
  std::string dry;       // what the dry run prints
};

std::vector<Danger> dangers(const Village& village) {
  return {{{"restore", village.backup()},
           "This replaces " + village.data() +
               ", with 3 users, 5 posts, 3 follows, 2 comments and 3 reactions",
           "would replace\t" + village.data() +
               "\nusers\t3\nposts\t5\nfollows\t3\ncomments\t2\nreactions\t3\n"},
          {{"user", "token", "mira", "--revoke"},
           "This revokes every token of mira, with 2 tokens",
           "would revoke\tevery token of mira\ntokens\t2\n"},
          {{"comment", "remove", village.comment()},
           "This removes comment " + village.comment() + ", with 1 like",
           "would remove\tcomment " + village.comment() + "\nlikes\t1\n"},
          {{"post", "remove", village.post()},
           "This removes post " + village.post() + ", with 1 comment, 1 reaction and 1 repost",
           "would remove\tpost " + village.post() + "\ncomments\t1\nreactions\t1\nreposts\t1\n"},
          {{"user", "remove", "mira"},
           "This removes mira, with 3 posts, 1 comment, 2 reactions, 2 followers and 1 follow",
           "would remove\tmira\nposts\t3\ncomments\t1\nreactions\t2\nfollowers\t2\nfollows\t1\n"}};
}

Arguments with(Arguments arguments, const char* option) {
  arguments.emplace_back(option);
  return arguments;
}

}  // namespace

TEST_CASE("danger: at a terminal it is said what goes, and only a yes makes it go") {
  const Village village;
  const std::string before = village.state();
  for (const Danger& danger : dangers(village)) {
    for (const char* no : {"\n", "n\n", "yellow\n", "\x04"}) {
      CAPTURE(danger.question);
      Terminal terminal(village.command(danger.arguments));
      REQUIRE(terminal.shows(danger.question + kQuestion));
      terminal.type(no);
      const Ended ended = terminal.wait();
      CHECK(ended.status == 1);
      CHECK(ended.out.ends_with("Nothing is changed.\n"));
      CHECK(village.state() == before);
    }
  }
  for (const Danger& danger : dangers(village)) {
    CAPTURE(danger.question);
    const std::string unchanged = village.state();
    Terminal terminal(village.command(danger.arguments));
    REQUIRE(terminal.shows(kQuestion));
    terminal.type("Yes\n");
    CHECK(terminal.wait().status == 0);
    const bool restored = danger.arguments.front() == "restore";
    if (!restored && danger.arguments[1] != "remove") CHECK(village.state() != unchanged);
    if (danger.arguments[1] == "remove") CHECK(village.ended(danger.arguments).status == 3);
  }
}

TEST_CASE("danger: who says --yes is not asked, and neither is who sits at no terminal") {
  for (const bool at_terminal : {true, false}) {
    const Village village;
    for (const Danger& danger : dangers(village)) {
      CAPTURE(danger.question);
      if (!at_terminal) {
        const Ended ended = village.ended(danger.arguments);
        CHECK(ended.status == 0);
        CHECK(ended.err.find("Go on?") == std::string::npos);
        continue;
      }
      Terminal terminal(village.command(with(danger.arguments, "--yes")));
      const Ended ended = terminal.wait();
      CHECK(ended.status == 0);
      CHECK(ended.out.find("Go on?") == std::string::npos);
    }
  }
}

TEST_CASE("danger: a dry run says what would go, and changes nothing") {
  const Village village;
  const std::string before = village.state();
  for (const Danger& danger : dangers(village)) {
    const Arguments dry = with(danger.arguments, "--dry-run");
    CHECK(village.said(dry) == danger.dry);
    CHECK(JsonValue::parse(village.said(with(dry, "--json")))["dryRun"].as<bool>());
    CHECK(village.state() == before);
  }
  for (const Arguments& nobody : {Arguments{"user", "remove", "nobody"},
                                  {"post", "remove", "1"},
                                  {"comment", "remove", "1"}}) {
    CHECK(village.ended(with(nobody, "--dry-run")).status == 3);
  }
  CHECK(village.ended({"restore", village.data(), "--dry-run"}).status == 1);
  CHECK(village.ended({"user", "token", "mira", "--dry-run"}).status == 2);
  CHECK(village.state() == before);
}

TEST_CASE("danger: what a dry run says of follows is what the command then does") {
  const Village village;
  std::mt19937_64 random(first_seed());
  const std::vector<std::string> names{"yuki", "zoe", "ada", "ben", "cai"};
  for (const char* name : {"ada", "ben", "cai"}) village.said({"user", "add", name});
  for (int round = 0; round < 12; ++round) {
    Arguments arguments{"follow", random() % 2 == 0 ? "add" : "remove", "mira"};
    for (std::uint64_t left = 1 + random() % 6; left > 0; --left) {
      arguments.push_back(names[random() % names.size()]);
    }
    const std::string before = village.state();
    std::string dry = village.said(with(arguments, "--dry-run"));
    CHECK(village.state() == before);
    const std::size_t would = dry.find("would be ");
    REQUIRE(would != std::string::npos);
    CHECK(dry.erase(would, 9) == village.said(arguments));
  }
  village.said({"user", "block", "mira", "ada"});
  CHECK(village.ended({"follow", "add", "ada", "mira", "--dry-run"}).status == 4);
}

}  // namespace chirp::test
