// Goal: what can't be undone is shown and asked about at a terminal, and nowhere else; a dry run
// says what would go, and changes nothing. Method: a small world whose counts are known, with
// commands at a pseudo-terminal and without one; what a dry run says of follows is held against the
// command that follows it.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "store/data_directory.h"
#include "store/format_file.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/json_value.h"
#include "tests/support/seeds.h"
#include "tests/support/temp_folder.h"
#include "tests/support/terminal.h"

namespace chirp::test::danger_test {
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
           ended({"user", "sessions", "mira", "--json"}).out;  // empty once mira is gone
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
           "would remove\tmira\nposts\t3\ncomments\t1\nreactions\t2\nfollowers\t2\nfollows\t1\n"},
          {{"seed", "--users", "20", "--follows", "40", "--posts", "60"},
           "This adds a made-up network to the 3 users of " + village.data() +
               ", with 20 users, 40 follows and 60 posts",
           "would add\ta made-up network to the 3 users of " + village.data() +
               "\nusers\t20\nfollows\t40\nposts\t60\n"}};
}

// As a kill between the steps of the removal leaves it: the post or comment is gone, what hung on
// it is there.
void cut_removal_short(const Village& village, const Change& removal) {
  const auto directory = store::DataDirectory::open(village.data());
  Storage& storage = directory->storage();
  REQUIRE(storage.write({&removal, 1}, store::system_clock()->now()).front().result ==
          Result::kDone);
  REQUIRE(storage.snapshot()->state().post_removals > 0);
}

std::uint64_t unfinished_removals(const Village& village) {
  return store::DataDirectory::open(village.data())->storage().snapshot()->state().post_removals;
}

std::int64_t timelines(const Village& village) {
  return JsonValue::parse(village.said({"stats", "--json"}))["timelines"].as<std::int64_t>();
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
    for (const char* no : {"\n", "n\n", "yellow\n", "\x04", "y\x04\x04"}) {
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

TEST_CASE("danger: nothing is asked with --yes, nor without a terminal") {
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

TEST_CASE("danger: a removal that was cut short is finished when it is asked for again") {
  for (const bool at_terminal : {true, false}) {
    for (const bool of_comment : {true, false}) {
      const Village village;
      const std::string& id = of_comment ? village.comment() : village.post();
      const Arguments again{of_comment ? "comment" : "post", "remove", id};
      const std::uint64_t number = std::stoull(id);
      cut_removal_short(village, of_comment ? Change{RemoveComment{CommentId{number}}}
                                            : Change{RemovePost{PostId{number}}});
      CHECK(village.ended(with(again, "--dry-run")).status == 3);
      CHECK(unfinished_removals(village) > 0);
      const Ended ended =
          at_terminal ? Terminal(village.command(again)).wait() : village.ended(again);
      CHECK(ended.status == 3);
      CHECK(unfinished_removals(village) == 0);
    }
  }
}

TEST_CASE("danger: nobody is asked about a made-up network where nobody is yet") {
  const TempFolder folder;
  const std::string data = (folder / "data").string();
  REQUIRE(run(chirp_command(data, {"init"})).ok());
  const Arguments seed{"seed", "--users", "5", "--follows", "5", "--posts", "5"};
  CHECK(run(chirp_command(data, with(seed, "--dry-run"))).out ==
        "would add\ta made-up network to " + data + "\nusers\t5\nfollows\t5\nposts\t5\n");
  CHECK(JsonValue::parse(run(chirp_command(data, {"stats", "--json"})).out)["users"]
            .as<std::int64_t>() == 0);
  const auto dry =
      JsonValue::parse(run(chirp_command(data, with(with(seed, "--dry-run"), "--json"))).out);
  CHECK(dry["comes"]["follows"].as<std::int64_t>() == 5);
  Terminal terminal(chirp_command(data, seed));
  const Ended ended = terminal.wait();
  CHECK(ended.status == 0);
  CHECK(ended.out.find("Go on?") == std::string::npos);
}

TEST_CASE("danger: a migration asks once, and its dry run changes nothing") {
  const TempFolder folder;
  copy_folder(CHIRP_SOURCE_DIR "/testdata/format-1/data", folder / "old");
  const std::string data = (folder / "old").string();
  const std::filesystem::path format = folder / "old" / store::kFormatFile;
  const std::string before = read_file(format);
  const std::string what = fmt::format("{} from format 1 to {}", data, store::kFormatVersion);
  CHECK(run(chirp_command(data, {"migrate", "--dry-run"})).out == "would migrate\t" + what + "\n");
  for (const char* no : {"\n", "no\n", "\x04"}) {
    Terminal terminal(chirp_command(data, {"migrate"}));
    REQUIRE(terminal.shows("This migrates " + what + kQuestion));
    terminal.type(no);
    CHECK(terminal.wait().status == 1);
  }
  CHECK(read_file(format) == before);
  CHECK(run(chirp_command(data, {"user", "list"})).status == 1);
  // Where the command would fail, the dry run does.
  const std::string nowhere = (folder / "nowhere").string();
  const Ended dry = run(chirp_command(nowhere, {"migrate", "--dry-run"}));
  CHECK(dry.status == 1);
  CHECK(dry.err == run(chirp_command(nowhere, {"migrate"})).err);
  Terminal terminal(chirp_command(data, {"migrate"}));
  REQUIRE(terminal.shows(kQuestion));
  terminal.type("y\n");
  CHECK(terminal.wait().status == 0);
  CHECK(run(chirp_command(data, {"user", "list"})).status == 0);
  for (const Arguments& again : {Arguments{"migrate"}, {"migrate", "--dry-run"}}) {
    Terminal done(chirp_command(data, again));
    const Ended ended = done.wait();
    CHECK(ended.status == 0);
    CHECK(ended.out.find("There is nothing to do.") != std::string::npos);
    CHECK(ended.out.find("Go on?") == std::string::npos);
  }
}

TEST_CASE("danger: what a dry run says of timelines is what the command then does") {
  const Village village;
  village.said({"user", "add", "ada"});
  // Loaded users have no timeline.
  const std::string graph = village.data() + ".csv";
  std::ofstream(graph) << "701,702\n702,703\n";
  village.said({"load", "graph", graph});
  const std::int64_t before = timelines(village);
  std::string dry = village.said({"feed", "rebuild", "--all", "--dry-run"});
  CHECK(timelines(village) == before);
  CHECK(JsonValue::parse(village.said({"feed", "rebuild", "ada", "--dry-run", "--json"}))["users"]
            .as<std::int64_t>() == 1);
  CHECK(timelines(village) == before);
  const std::size_t would = dry.find("would be ");
  REQUIRE(would != std::string::npos);
  CHECK(dry.erase(would, 9) == village.said({"feed", "rebuild", "--all"}));
  CHECK(timelines(village) > before);
  CHECK(village.ended({"feed", "rebuild", "nobody", "--dry-run"}).status == 3);
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

}  // namespace chirp::test::danger_test
