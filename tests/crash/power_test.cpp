// Goal: whenever the power goes, what was answered is there afterwards, what was not is there whole
// or not at all, the directory opens, and doctor finds nothing once another command has written.
// Method: commands whose writes are recorded; from the record the states of a disk are made that
// has lost what was not synced, in part or in whole, and looked at from outside. That this finds
// mistakes is shown with three of them planted.

#include <doctest/doctest.h>

#include "tests/support/power_loss.h"
#include "tests/support/seeds.h"
#include "tests/support/sweep.h"

namespace chirp::test::power_test {
namespace {

// Moments of each script that are looked at in a test, and draws of chance at each.
constexpr std::size_t kMoments = 8;
constexpr std::uint64_t kDraws = 1;
constexpr std::uint64_t kDrawsThorough = 8;

const Script& script(const std::string& name) {
  for (const Script& known : scripts()) {
    if (known.name == name) return known;
  }
  throw std::runtime_error("no script " + name);
}

void lose_power(const FolderWorld& world, const Script& script, Budget& budget) {
  PowerLoss loss(world, script);
  const bool all = budget.thorough() || !torture_at().empty();
  const std::size_t stride = all ? 1 : loss.moments() / kMoments + 1;
  for (std::size_t moment = budget.seed() % stride; moment < loss.moments(); moment += stride) {
    if (budget.over()) return;
    if (!torture_at().empty() && torture_at() != script.name + "|" + std::to_string(moment))
      continue;
    const std::uint64_t before = loss.states();
    for (const std::string& wrong : loss.faults_at(moment, all ? kDrawsThorough : kDraws)) {
      FAIL_CHECK(wrong);
    }
    budget.tried(loss.states() - before);
  }
}

// True if the states of the script show that the program has this mistake.
bool is_caught(const std::string& bug, const std::string& name) {
  const FolderWorld world(first_seed());
  PowerLoss loss(world, script(name), bug);
  for (std::size_t moment = 0; moment < loss.moments(); ++moment) {
    if (!loss.faults_at(moment, 0).empty()) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("power: what was answered survives its loss at any moment") {
  if (skipped()) return;
  Budget budget("losses of power");
  do {
    const FolderWorld world(budget.seed());
    for (const Script& script : budget.in_order(scripts())) {
      if (!budget.over()) lose_power(world, script, budget);
    }
  } while (budget.next());
}

TEST_CASE("power: a sync that is left out is noticed") {
  if (skipped()) return;
  CHECK(is_caught("no-sync", "settings"));
}

TEST_CASE("power: an answer before the sync is noticed") {
  if (skipped()) return;
  CHECK(is_caught("early-answer", "settings"));
}

TEST_CASE("power: a folder that is not synced is noticed") {
  if (skipped()) return;
  CHECK(is_caught("no-folder-sync", "a new directory"));
}

}  // namespace chirp::test::power_test
