// Goal: twenty shells at once on one directory, beside a server, some killed wherever they are,
// lose nothing that was acknowledged and leave nothing that was not; doctor finds nothing at any
// time, feeds equal their definition, and backups made meanwhile restore. Method: random commands,
// each shell's by a seed of its own, and an oracle that keeps the answers that each got.

#include "tests/support/storm.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/budget.h"
#include "tests/support/sweep.h"

namespace chirp::test {
namespace {

constexpr std::size_t kShells = 20;
constexpr std::uint64_t kCommands = 500;
constexpr std::uint64_t kCommandsThorough = 4000;

}  // namespace

TEST_CASE("storm: twenty shells and a server, killed at random, lose nothing") {
  if (skipped()) return;
  Budget budget("storm");
  do {
    Storm storm(budget.seed(), kShells);
    const std::uint64_t commands = budget.thorough() ? kCommandsThorough : kCommands;
    storm.rage(commands, [&] { return budget.over(); });
    for (const std::string& wrong : storm.verdict()) {
      FAIL_CHECK(
          fmt::format("{}\nAgain, if the moments are kind: CHIRP_SEED={}", wrong, budget.seed()));
    }
    MESSAGE(storm.summary());
    budget.tried(commands);
  } while (budget.next());
}

}  // namespace chirp::test
