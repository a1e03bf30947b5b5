// Goal: `chirp bench load --edges M` loads the world that it says, by the commands that people use,
// and loads write no more bytes than they did. Method: the program itself on small worlds; the
// commands on what was loaded; bytes of a world that is large enough for pages to be written more
// than once. A stopped clock makes the sizes of transactions the same on every machine, so the
// bytes are too.
#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cli/bench/load_text.h"
#include "tests/support/child.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The number after `key` in the line that has this name.
double number_in(const std::string& lines, const std::string& name, const std::string& key) {
  const std::size_t line = lines.find("{\"name\":\"" + name + "\"");
  REQUIRE_MESSAGE(line != std::string::npos, lines);
  const std::size_t at = lines.find("\"" + key + "\":", line);
  REQUIRE_MESSAGE(at < lines.find('\n', line), lines);
  return std::strtod(lines.c_str() + at + key.size() + 3, nullptr);
}

Ended load(std::vector<std::string> options) {
  options.insert(options.begin(), {CHIRP_BINARY, "bench", "load", "--json"});
  Command command{std::move(options)};
  command.environment = {"CHIRP_TEST_CLOCK=2026-02-01T12:00:00Z"};
  Ended ended = run(command);
  REQUIRE_MESSAGE(ended.ok(), to_string(ended));
  return ended;
}

}  // namespace

TEST_CASE("bench: a shuffle is a permutation, and not in order") {
  for (const std::uint64_t count : {1U, 2U, 3U, 4U, 5U, 7U, 64U, 1000U, 4097U}) {
    const cli::bench::Shuffle shuffle(count);
    std::set<std::uint64_t> seen;
    std::uint64_t in_order = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      seen.insert(shuffle.at(i));
      if (i > 0 && shuffle.at(i) > shuffle.at(i - 1)) ++in_order;
    }
    CHECK(seen.size() == count);
    CHECK(*seen.rbegin() == count - 1);
    if (count >= 64) CHECK(in_order < count * 3 / 4);
  }
}

TEST_CASE("bench: posts in random order are the posts in order of time") {
  const TempFolder folder;
  const Time now{1'767'225'600'000};
  cli::bench::write_posts(folder / "a", 50, 300, cli::bench::PostOrder::kByTime, now);
  cli::bench::write_posts(folder / "b", 50, 300, cli::bench::PostOrder::kRandom, now);
  auto by_time = lines_of(folder / "a");
  auto random = lines_of(folder / "b");
  CHECK(by_time.size() == 300);
  CHECK(by_time.back().find("\"createdAt\":\"2026-01-01T00:00:00") != std::string::npos);
  CHECK(by_time != random);
  std::ranges::sort(by_time);
  std::ranges::sort(random);
  CHECK(by_time == random);
}

TEST_CASE("bench: a world is loaded by the commands, other writers beside it, and kept") {
  const TempFolder folder;
  const std::string data = (folder / "world").string();
  const Ended ended = load({"--users", "500", "--edges", "3000", "--posts", "700", "--order",
                            "random", "--users-first", "--data", data});
  CHECK(std::count(ended.out.begin(), ended.out.end(), '\n') == 3);
  CHECK(number_in(ended.out, "load people", "rows") == 500);
  CHECK(number_in(ended.out, "load graph", "rows") == 3000);
  CHECK(number_in(ended.out, "load posts", "rows") == 700);
  CHECK(ended.out.find("\"signUps\":{\"operations\":") != std::string::npos);
  CHECK(ended.out.find("\"posts\":{\"operations\":") != std::string::npos);
  const Ended checked = run({{CHIRP_BINARY, "--data", data, "doctor"}});
  CHECK_MESSAGE(checked.ok(), to_string(checked));
  const Ended again = run({{CHIRP_BINARY, "bench", "load", "--edges", "10", "--data", data}});
  CHECK(again.status == 2);
  CHECK_MESSAGE(again.err.find("is not empty") != std::string::npos, again.err);
}

TEST_CASE("bench: options of a world are refused where none is made") {
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"feed", "--full"},
                                             {"feed", "--edges", "10"},
                                             {"load", "--alone"},
                                             {"load", "--order", "random"}}) {
    std::vector<std::string> words{CHIRP_BINARY, "bench"};
    words.insert(words.end(), options.begin(), options.end());
    const Ended ended = run({words});
    CHECK(ended.status == 2);
    CHECK_MESSAGE(ended.err.find("--edges and --full need `load`") != std::string::npos, ended.err);
  }
}

// If a change makes loads write less, lower the bounds. Each is a tenth above what was written.
TEST_CASE("bench: loads of a world write no more bytes than they did") {
  constexpr double kAnEdge = 64;           // users included
  constexpr double kAPost = 720;           // by time
  constexpr double kAPostInNoOrder = 750;  // what is sorted included
  const std::vector<std::string> world{"--alone", "--users", "300000", "--edges",
                                       "3000000", "--posts", "600000"};
  const Ended ended = load(world);
  if (number_in(ended.out, "load graph", "bytesWritten") == 0) {
    MESSAGE("skipped: this system counts no writes of processes");
    return;
  }
  CHECK(number_in(ended.out, "load graph", "bytesPerRow") <= kAnEdge);
  CHECK(number_in(ended.out, "load posts", "bytesPerRow") <= kAPost);
  // Less than the rows themselves would mean that not all was counted.
  CHECK(number_in(ended.out, "load graph", "bytesPerRow") > 8);
  CHECK(number_in(ended.out, "load posts", "bytesPerRow") > 120);
  std::vector<std::string> in_no_order = world;
  in_no_order.insert(in_no_order.end(), {"--order", "random"});
  CHECK(number_in(load(in_no_order).out, "load posts", "bytesPerRow") <= kAPostInNoOrder);
}

}  // namespace chirp::test
