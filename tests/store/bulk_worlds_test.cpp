// Goal: a bulk load beside other calls, of every kind and in every order, leaves what its edges in
// one transaction would. Method: the in-memory model and LMDB driven by the same random calls, as
// in storage_differential_test.cpp, and nearly every world with bulk loads among them.
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/support/storage_twins.h"

namespace chirp::test::bulk_worlds_test {

TEST_CASE("bulk worlds: loads beside random calls") {
  const auto kinds = store_kinds();
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    Twins twins(kinds[0], kinds[1], seed);
    for (int step = 0; step < 60; ++step) {
      const auto found = step % 3 == 2 ? twins.load_in_bulk() : twins.step();
      CAPTURE(twins.trail());
      REQUIRE_MESSAGE(found.empty(), fmt::format("{}", fmt::join(found, "; ")));
    }
  }
}

}  // namespace chirp::test::bulk_worlds_test
