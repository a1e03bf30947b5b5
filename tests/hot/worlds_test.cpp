// Goal: a page out of the hot set of a process is the page that the definition says, whoever has
// written what.
// Method: random interleavings of all that can happen to a small world
// (tests/feed/worlds_test.cpp), with reactions, comments, edits and repairs, while two processes
// with hot sets of their own read now and then, and a third writes without one. Bounds hold
// everything, little, or nothing; some reads are of snapshots older than the hot set. CHIRP_SEED
// and CHIRP_WORLDS choose the worlds.
#include <array>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/hot_readers.h"
#include "tests/support/seeds.h"
#include "tests/support/stores.h"

namespace chirp::test::worlds_test {
namespace {

constexpr std::uint64_t kWorlds = 600;
constexpr std::uint64_t kShareOnDisk = 10;
constexpr std::array<std::size_t, 4> kBounds{std::size_t{1} << 22, 24 << 10, 9 << 10, 0};

std::size_t bytes_in(std::uint64_t seed) { return kBounds[seed % kBounds.size()]; }

// The first thing that goes wrong; empty if nothing does.
std::string run_world(Storage& storage, std::uint64_t seed, std::uint64_t& from_memory) {
  std::mt19937_64 random(seed);
  Simulation simulation(storage, static_cast<std::uint32_t>(random()));
  HotReaders readers(simulation, bytes_in(seed));
  const std::uint64_t steps = 20 + random() % 220;
  std::uint64_t step = 0;
  Action action;
  try {
    for (; step < steps; ++step) {
      action = draw(random, all_acts());
      simulation.apply(action);
      if (random() % 3 == 0) readers.stir(draw(random, all_acts()));
      if (random() % 3 != 0) readers.read(draw(random, all_acts()));
    }
    readers.read_all();
  } catch (const Mismatch& mismatch) {
    return "step " + std::to_string(step) + ": " + mismatch.what();
  }
  from_memory += readers.from_memory();
  return {};
}

}  // namespace

TEST_CASE("worlds: pages out of memory equal their definition") {
  for (const StoreKind& kind : store_kinds()) {
    const bool is_model = kind.name == store_kinds().front().name;
    const std::uint64_t worlds = worlds_on(kind, is_model ? kWorlds : kWorlds / kShareOnDisk);
    std::uint64_t from_memory = 0;
    std::uint64_t roomy = 0;
    for (std::uint64_t i = 0; i < worlds; ++i) {
      const std::uint64_t seed = first_seed() + i;
      if (bytes_in(seed) == kBounds.front()) ++roomy;
      const auto store = kind.make();
      const std::string wrong = run_world(store->storage(), seed, from_memory);
      if (wrong.empty()) continue;
      FAIL("store " << kind.name << ", run again with CHIRP_WORLDS=1 CHIRP_SEED=" << seed << ": "
                    << wrong);
    }
    // One short world alone may have read no feed twice.
    if (roomy >= 5) CHECK(from_memory > roomy);
  }
}

}  // namespace chirp::test::worlds_test
