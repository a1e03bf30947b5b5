// Goal: the reference load runs to its end and prints every line; its world is kept, used again,
// and not mistaken for another. Method: the program itself, on a small world, for as short as it
// goes. Nothing is said of how long anything takes.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test::bench_reference_test {
namespace {

Command reference(std::vector<std::string> more, const char* posts = "500") {
  Command command{{CHIRP_BINARY, "bench", "reference", "--seconds", "0.1", "--users", "300",
                   "--follows", "3000", "--posts", posts, "--reads", "500", "--writes", "100"}};
  command.arguments.insert(command.arguments.end(), more.begin(), more.end());
  return command;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("bench reference: every line is printed, for people and as JSON") {
  const Ended table = run(reference({}));
  REQUIRE_MESSAGE(table.ok(), to_string(table));
  for (const char* line : {"300 users, 3.0 K follows, 500 posts; 30 of them read, on 2 threads",
                           "\nreads alone ", "\nreads ", "\nposts ", "\ndeliveries ", "\nfan-out ",
                           "\nfeed show, cold ", "\ncosts ", "\nThe goal is "}) {
    CHECK_MESSAGE(has(table.out, line), line);
  }
  CHECK_MESSAGE(!has(table.out, "failed"), table.out);

  const Ended json = run(reference({"--json"}));
  REQUIRE_MESSAGE(json.ok(), to_string(json));
  CHECK(std::count(json.out.begin(), json.out.end(), '\n') == 8);
  for (const char* name : {"reads alone", "reads", "posts", "deliveries", "fan-out lag",
                           "feed show in another process", "costs", "goal"}) {
    CHECK_MESSAGE(has(json.out, std::string(R"({"name":")") + name + "\","), name);
  }
  CHECK(has(json.out, R"("failed":0)"));
  CHECK(has(json.out, R"("bytesWritten":)"));
}

TEST_CASE("bench reference: a world is made once, and is right after its load") {
  const TempFolder folder;
  const std::string world = (folder.path() / "world").string();
  const Ended first = run(reference({"--data", world}));
  REQUIRE_MESSAGE(first.ok(), to_string(first));
  const Ended again = run(reference({"--data", world}));
  REQUIRE_MESSAGE(again.ok(), to_string(again));
  const Ended doctor = run(chirp_command(world, {"doctor"}));
  CHECK_MESSAGE(has(doctor.out, "Checked 300 users"), to_string(doctor));
  CHECK_MESSAGE(has(doctor.out, "Everything is right."), to_string(doctor));
  const Ended verified = run(chirp_command(world, {"feed", "verify", "--all"}));
  CHECK_MESSAGE(has(verified.out, "300 feeds checked, none wrong"), to_string(verified));
}

TEST_CASE("bench reference: another world, or something else, is refused and left as it is") {
  const TempFolder folder;
  const std::string world = (folder.path() / "world").string();
  REQUIRE(run(reference({"--data", world})).ok());
  const Ended other = run(reference({"--data", world}, "501"));
  CHECK(other.status == 2);
  CHECK_MESSAGE(has(other.err,
                    "has 300 users, 3000 follows, 500 posts, not 300 users, "
                    "3000 follows, 501 posts"),
                other.err);

  std::filesystem::create_directory(folder.path() / "mine");
  std::ofstream(folder.path() / "mine" / "letter") << "dear";
  const Ended mine = run(reference({"--data", (folder.path() / "mine").string()}));
  CHECK(mine.status == 2);
  CHECK_MESSAGE(has(mine.err, "is not a complete world of `chirp bench reference`"), mine.err);
  const auto left = std::filesystem::directory_iterator(folder.path() / "mine");
  CHECK(std::distance(begin(left), end(left)) == 1);
}

TEST_CASE("bench reference: a policy of one's own is refused") {
  const Ended ended = run(reference({"--policy", "pull"}));
  CHECK(ended.status == 2);
  CHECK_MESSAGE(has(ended.err, "leave --policy out"), ended.err);
}

}  // namespace chirp::test::bench_reference_test
