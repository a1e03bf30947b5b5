// Goal: a load that puts entries of posts before the posts leaves what its posts alone would, and
// nobody sees anything else on the way, whatever happens between its transactions, and if it dies.
// Method: the in-memory model and LMDB driven by the same random calls, as in
// storage_differential_test.cpp, with such a load after every other call.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/support/seeds.h"
#include "tests/support/storage_twins.h"

namespace chirp::test::early_worlds_test {

TEST_CASE("early worlds: loads with entries before their posts beside random calls") {
  const auto kinds = store_kinds();
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + worlds_or(45); ++seed) {
    CAPTURE(seed);
    Twins twins(kinds[0], kinds[1], seed);
    for (int step = 0; step < 40; ++step) {
      const auto found = step % 2 == 1 ? twins.load_early() : twins.step();
      CAPTURE(twins.trail());
      REQUIRE_MESSAGE(found.empty(), fmt::format("{}", fmt::join(found, "; ")));
    }
  }
}

}  // namespace chirp::test::early_worlds_test
