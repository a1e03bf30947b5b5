// Goal: what is written is what the ports say, in every store: outcomes, events with all their
// fields, every table, and what is left of who and what is removed.
// Method: random calls on a store and on an oracle of plain sets, which is written from the ports
// and the documents; after each call everything readable is compared.
#include <doctest/doctest.h>

#include "tests/support/seeds.h"
#include "tests/support/written_world.h"

namespace chirp::test::written_worlds_test {
namespace {

constexpr int kSteps = 150;
constexpr std::uint64_t kWorlds = 200;

// Whether the two stayed the same to the end.
bool same_world(const StoreKind& kind, std::uint64_t seed) {
  WrittenWorld world(kind, seed);
  for (int step = 0; step < kSteps; ++step) {
    const auto found = world.step();
    if (found.empty()) continue;
    INFO("CHIRP_SEED=" << seed << " CHIRP_WORLDS=1 shows it again; step " << step << " of "
                       << kind.name);
    INFO("calls: " << world.trail());
    for (const std::string& line : found) FAIL_CHECK(line);
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE("worlds: what is written is as the ports say") {
  const std::uint64_t seed = first_seed();
  for (const StoreKind& kind : store_kinds()) {
    for (std::uint64_t world = 0; world < worlds_on(kind, kWorlds); ++world) {
      const bool same = same_world(kind, seed + world);
      CHECK(same);
      if (!same) break;
    }
  }
}

}  // namespace chirp::test::written_worlds_test
