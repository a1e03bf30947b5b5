// Goal: what is installed is whole: the tours of README.md and docs/tour.md go from another folder,
// with the installed program, as the pages show them. Method: the project is installed below a
// folder of the test's own. The commands of the tour run in a terminal; the clock of each is read
// off what it is to say, from ids and from how long ago they were.
#include "tests/support/tour.h"

#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/model/ids.h"
#include "core/model/time.h"
#include "tests/support/data_directories.h"
#include "tests/support/installed.h"
#include "tests/support/pattern.h"
#include "tests/support/temp_folder.h"

namespace chirp::test {
namespace {

// When `said` is said: at the time of the newest id in it, or so long after it as it says.
std::optional<Time> time_of(const std::string& said) {
  static const Pattern kLine(R"re((just now|(\d+)m ago) · (\d{19})\n)re");
  static const Pattern kId(R"re(id +(\d{19})\n)re");
  if (const Match line = kLine.first_in(said); !line.empty()) {
    const std::int64_t minutes = line[2].empty() ? 0 : std::stoll(line[2]);
    return Time{snowflake::time_of(std::stoull(line[3])).ms + minutes * 60'000};
  }
  if (const Match id = kId.first_in(said); !id.empty()) {
    return snowflake::time_of(std::stoull(id[1]));
  }
  return std::nullopt;
}

void follow(TourShell& shell, const TempFolder& folder, const std::vector<TourStep>& steps) {
  for (const TourStep& step : steps) {
    if (step.command.starts_with("cat ")) {
      write_file(folder / step.command.substr(4), step.said);
      continue;
    }
    if (const auto time = time_of(step.said)) shell.set_clock(*time);
    const std::string said = shell.run_line(step.command);
    CHECK_MESSAGE(without_time_taken(said) == without_time_taken(step.said), step.command);
    if (step.command.starts_with("chirp user add ")) {
      for (const char* other : {"tomas", "yuki"}) {
        (void)shell.run_line(fmt::format("chirp user add {}", other));
      }
    }
  }
}

}  // namespace

TEST_CASE("tour: the installed program says in another folder what the pages show") {
  if (!can_tour()) return;
  const Installed installed("/usr/local");
  const TempFolder folder;
  TourShell shell(installed.bin(), folder);
  const auto tour = tour_steps("README.md", "## A tour");
  const auto policies = tour_steps("docs/tour.md", "## Policies and follows");
  const auto own = tour_steps("docs/tour.md", "## Your own graph and posts");
  CHECK(tour.size() > 7);
  CHECK(policies.size() > 5);
  CHECK(own.size() > 5);
  follow(shell, folder, tour);
  follow(shell, folder, policies);
  follow(shell, folder, own);
}

}  // namespace chirp::test
