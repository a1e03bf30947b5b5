// Goal: every store is the in-memory model, whatever is done to it. A bulk load of edges, and a
// load that puts entries before their posts, leave what plain transactions would, whatever other
// calls come between their transactions, and if they die. Method: random calls on the model and on
// another store side by side; after each call everything readable is compared, and the invariants
// of both are checked.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/seeds.h"
#include "tests/support/storage_twins.h"

namespace chirp::test {
namespace {

// Whether the two stayed the same to the end. `next` makes a call and returns the differences.
template <class Next>
bool same_world(const StoreKind& other, std::uint64_t seed, int steps, Next next) {
  Twins twins(store_kinds().front(), other, seed);
  for (int step = 0; step < steps; ++step) {
    const std::vector<std::string> found = next(twins, step);
    if (found.empty()) continue;
    INFO("CHIRP_SEED=" << seed << " CHIRP_WORLDS=1 shows it again; step " << step << " of "
                       << other.name);
    INFO("calls: " << twins.trail());
    for (const std::string& line : found) FAIL_CHECK(line);
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE("storage differential: every store answers as the model does") {
  const std::uint64_t seed = first_seed();
  for (const StoreKind& other : store_kinds()) {
    for (std::uint64_t world = 0; world < worlds_on(other, 40); ++world) {
      const bool same =
          same_world(other, seed + world, 120, [](Twins& twins, int) { return twins.step(); });
      CHECK(same);
      if (!same) break;
    }
  }
}

TEST_CASE("bulk worlds: loads beside random calls") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    REQUIRE(same_world(store_kinds()[1], seed, 60, [](Twins& twins, int step) {
      return step % 3 == 2 ? twins.load_in_bulk() : twins.step();
    }));
  }
}

TEST_CASE("early worlds: loads with entries before their posts beside random calls") {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + worlds_or(45); ++seed) {
    REQUIRE(same_world(store_kinds()[1], seed, 40, [](Twins& twins, int step) {
      return step % 2 == 1 ? twins.load_early() : twins.step();
    }));
  }
}

}  // namespace chirp::test
