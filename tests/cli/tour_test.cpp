// Goal: what is installed is whole: the tour of README.md goes from another folder, with the
// installed program, as the page shows it. Method: the project is installed below a folder of the
// test's own. The commands of the tour run in a terminal; the clock of each is read off what it is
// to say, from ids and from how long ago they were.
#include <filesystem>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/ids.h"
#include "core/model/time.h"
#include "tests/support/child.h"
#include "tests/support/data_directories.h"
#include "tests/support/installed.h"
#include "tests/support/source_tree.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

struct Step {
  std::string command;
  std::string said;
};

// The commands between two headings, each with what stands below it. Blocks without a prompt show
// what is left to the reader.
std::vector<Step> steps_of(std::string_view heading) {
  std::vector<Step> steps;
  bool here = false;
  bool block = false;
  for (const std::string_view line : source_file("README.md").lines()) {
    if (line.starts_with("## ")) here = line == heading;
    if (!here) continue;
    if (line.starts_with("```")) {
      block = !block;
    } else if (block && line.starts_with("$ ")) {
      steps.push_back({std::string(line.substr(2)), ""});
    } else if (block && !steps.empty()) {
      steps.back().said += std::string(line) + "\n";
    }
  }
  return steps;
}

// When `said` is said: at the time of the newest id in it, or so long after it as it says.
std::optional<Time> time_of(const std::string& said) {
  static const std::regex kLine(R"re((just now|(\d+)m ago) · (\d{19})\n)re");
  static const std::regex kId(R"re(id +(\d{19})\n)re");
  std::smatch match;
  if (std::regex_search(said, match, kLine)) {
    const std::int64_t minutes = match[2].matched ? std::stoll(match[2]) : 0;
    return Time{snowflake::time_of(std::stoull(match[3])).ms + minutes * 60'000};
  }
  if (std::regex_search(said, match, kId)) return snowflake::time_of(std::stoull(match[1]));
  return std::nullopt;
}

class Terminal {
 public:
  Terminal(const Installed& installed, const TempFolder& folder)
      : folder_(folder.path().string()), path_(installed.bin() + ":/usr/bin:/bin") {}

  void set_clock(Time time) { clock_ = iso8601(time); }

  // What a person sees, in a terminal without colours.
  std::string run_line(const std::string& command) {
    if (command.starts_with("export ")) {
      variables_.push_back(command.substr(7));
      return "";
    }
    std::vector<std::string> environment{
        "PATH=" + path_, "HOME=" + folder_, "CHIRP_TEST_CLOCK=" + clock_,
        "SHELL=/bin/sh", "NO_COLOR=1",      "TERM=dumb",
        "PAGER=cat",     "XDG_DATA_HOME="};
    environment.insert(environment.end(), variables_.begin(), variables_.end());
    const std::string script = "cd '" + folder_ + "' && exec script -qec \"$0\" /dev/null";
    const Ended ended =
        run({.arguments = {"/bin/sh", "-c", script, command}, .environment = environment});
    CHECK_MESSAGE(ended.ok(), command, ": ", to_string(ended));
    std::string said;
    for (const char c : ended.out) {
      if (c != '\r') said += c;
    }
    return said;
  }

 private:
  std::string folder_;
  std::string path_;
  std::string clock_ = "2026-01-15T18:30:00Z";
  std::vector<std::string> variables_;
};

// How long a load took is no promise.
std::string without_time_taken(const std::string& said) {
  static const std::regex kTook(R"re((^|\n)time +[^\n]*)re");
  return std::regex_replace(said, kTook, "$1time");
}

void follow(Terminal& terminal, const TempFolder& folder, const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (step.command.starts_with("cat ")) {
      write_file(folder / step.command.substr(4), step.said);
      continue;
    }
    if (const auto time = time_of(step.said)) terminal.set_clock(*time);
    const std::string said = terminal.run_line(step.command);
    CHECK_MESSAGE(without_time_taken(said) == without_time_taken(step.said), step.command);
    if (step.command.starts_with("chirp user add ")) {
      for (const char* other : {"tomas", "yuki"}) {
        (void)terminal.run_line(fmt::format("chirp user add {}", other));
      }
    }
  }
}

}  // namespace

TEST_CASE("tour: the installed program says in another folder what README.md shows") {
  if (!run({.arguments = {"/bin/sh", "-c", "command -v script > /dev/null"}}).ok()) {
    MESSAGE("skipped: needs script, of bsdutils");
    return;
  }
  const Installed installed("/usr/local");
  const TempFolder folder;
  Terminal terminal(installed, folder);
  const auto tour = steps_of("## A tour");
  const auto own = steps_of("## Your own graph and posts");
  CHECK(tour.size() > 12);
  CHECK(own.size() > 5);
  follow(terminal, folder, tour);
  follow(terminal, folder, own);
}

}  // namespace chirp::test
