// Goal: every store is the in-memory model, whatever is done to it.
// Method: random calls on the model and on each store side by side; after each call everything
// readable is compared, and the invariants of both are checked.
#include <doctest/doctest.h>

#include "tests/support/seeds.h"
#include "tests/support/storage_twins.h"

namespace chirp::test {
namespace {

constexpr int kSteps = 120;
constexpr std::uint64_t kWorlds = 40;

// Whether the two stayed the same to the end.
bool same_world(const StoreKind& model, const StoreKind& other, std::uint64_t seed) {
  Twins twins(model, other, seed);
  for (int step = 0; step < kSteps; ++step) {
    const auto found = twins.step();
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
  const StoreKind& model = store_kinds().front();
  const std::uint64_t seed = first_seed();
  for (const StoreKind& other : store_kinds()) {
    for (std::uint64_t world = 0; world < worlds_on(other, kWorlds); ++world) {
      const bool same = same_world(model, other, seed + world);
      CHECK(same);
      if (!same) break;
    }
  }
}

}  // namespace chirp::test
