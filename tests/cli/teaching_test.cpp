// Goal: whoever follows docs/teaching.md sees what it shows, and the model that it uses is right
// with its rules and wrong without any of them. Method: the commands of the lessons, the model's
// among them, run one after the other in a terminal, in a folder from which the village and the
// model can be reached. With CHIRP_UPDATE set, what they say becomes what the document shows.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/child.h"
#include "tests/support/pattern.h"
#include "tests/support/source_tree.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tour.h"

namespace chirp::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDocument = "docs/teaching.md";
constexpr const char* kPython = "/usr/bin/python3";

std::vector<std::string> headings() {
  std::vector<std::string> found;
  for (const std::string_view line : source_file(kDocument).lines()) {
    if (line.starts_with("## ")) found.emplace_back(line);
  }
  return found;
}

bool has_python() {
  if (fs::exists(kPython)) return true;
  MESSAGE("skipped: needs python3");
  return false;
}

Ended model(std::vector<std::string> words) {
  words.insert(words.begin(), {kPython, CHIRP_SOURCE_DIR "/docs/feed_model.py"});
  return run({.arguments = std::move(words)});
}

}  // namespace

TEST_CASE("teaching: the five lessons say what docs/teaching.md shows") {
  if (!can_tour() || !has_python()) return;
  const TempFolder folder;
  for (const char* const name : {"testdata", "docs"}) {
    fs::create_directory_symlink(fs::path(CHIRP_SOURCE_DIR) / name, folder / name);
  }
  TourShell shell(fs::path(CHIRP_BINARY).parent_path().string(), folder);
  std::size_t lessons = 0;
  std::vector<std::string> all_said;
  const bool update = std::getenv("CHIRP_UPDATE") != nullptr;
  for (const std::string& heading : headings()) {
    const auto steps = tour_steps(kDocument, heading);
    if (heading.starts_with("## Lesson ")) {
      CHECK_MESSAGE(steps.size() > 4, heading);
      ++lessons;
    }
    for (const TourStep& step : steps) {
      const std::string& said = all_said.emplace_back(shell.run_line(step.command));
      if (update) continue;
      CHECK_MESSAGE(without_time_taken(said) == without_time_taken(step.said), step.command);
    }
  }
  CHECK(lessons == 5);
  if (update) {
    const std::string text = tour_with(kDocument, all_said);
    std::ofstream(fs::path(CHIRP_SOURCE_DIR) / kDocument, std::ios::binary) << text;
  }
}

TEST_CASE("teaching: a lesson shows what goes wrong without each rule of the model") {
  static const Pattern kRule(R"re((?:^|\n)(\w+) +\d+ of \d+ worlds go wrong)re");
  std::string shown;
  std::string counted;
  for (const std::string& heading : headings()) {
    for (const TourStep& step : tour_steps(kDocument, heading)) {
      if (step.command.ends_with(" --rules")) counted = step.said;
      if (step.said.find("\nWRONG: ") != std::string::npos) shown += step.command + "\n";
    }
  }
  std::size_t rules = 0;
  for (const Match& rule : kRule.all_in(counted)) {
    const std::string command = fmt::format("feed_model.py --without {}\n", rule[1]);
    CHECK_MESSAGE(shown.find(command) != std::string::npos, command);
    ++rules;
  }
  CHECK(rules == 9);
}

TEST_CASE("teaching: the model refuses what is no rule") {
  if (!has_python()) return;
  CHECK(model({"--without", "nonsense"}).status == 1);
  CHECK(model({"--without"}).status == 1);
}

}  // namespace chirp::test
