// Goal: a window loses no edge and doubles none, and hands out together what is stored together.
// Method: random runs of sizes around the bounds beside a std::set, and a count of the rows that
// tiles touch.
#include "core/load/edge_window.h"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "core/load/seed_random.h"

namespace chirp::load {
namespace {

std::vector<std::uint64_t> random_keys(std::size_t size, std::uint64_t users, std::uint64_t seed) {
  SeedRandom random(seed, users, size);
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < size; ++i) {
    const auto follower = static_cast<std::uint32_t>(random.below(users));
    const auto followee = static_cast<std::uint32_t>(random.skewed(users));
    keys.push_back(edge_key({follower}, {followee}));
  }
  std::vector<std::uint64_t> scratch;
  sort_edges(keys, scratch);
  return keys;
}

// Rows of both directions that takes of so many edges from each slice touch, added up.
std::size_t rows_touched(const EdgeWindow& window, std::size_t take) {
  std::size_t rows = 0;
  window.each_slice([&](std::span<const LoadedEdge> slice) {
    while (!slice.empty()) {
      std::set<UserNumber> followers;
      std::set<UserNumber> followees;
      const std::size_t size = std::min(take, slice.size());
      for (const LoadedEdge& edge : slice.first(size)) {
        followers.insert(edge.follower);
        followees.insert(edge.followee);
      }
      rows += followers.size() + followees.size();
      slice = slice.subspan(size);
    }
  });
  return rows;
}

}  // namespace

TEST_CASE("edge window: sorting keeps each key once") {
  for (const std::size_t size : {0u, 1u, 2u, 4095u, 4096u, 50'000u}) {
    SeedRandom random(1, 2, size);
    std::vector<std::uint64_t> keys;
    for (std::size_t i = 0; i < size; ++i) keys.push_back(random.next() >> (i % 64));
    const std::set<std::uint64_t> expected(keys.begin(), keys.end());
    std::vector<std::uint64_t> scratch;
    sort_edges(keys, scratch);
    CHECK(std::ranges::equal(keys, expected));
  }
}

TEST_CASE("edge window: every edge once, whatever the runs and tiles") {
  for (const std::uint64_t users : {1u, 2u, 300u, 4'294'967'295u}) {
    for (const std::size_t size : {1u, 2u, 63u, 64u, 65u, 20'000u}) {
      for (const std::size_t runs : {0u, 1u, 2u, 5u}) {
        for (const std::size_t tile : {1u, 100u, 1'000'000u}) {
          if (tile == 1 && size > 100) continue;
          CAPTURE(users);
          CAPTURE(size);
          CAPTURE(runs);
          CAPTURE(tile);
          EdgeWindow window(tile);
          std::set<std::uint64_t> expected;
          std::size_t added = 0;
          for (std::size_t run = 0; run < runs; ++run) {
            const auto keys = random_keys(size, users, run / 2);  // every other run repeats one
            window.add_run(keys);
            expected.insert(keys.begin(), keys.end());
            added += keys.size();
          }
          REQUIRE(window.edges() == added);
          std::set<std::uint64_t> found;
          std::size_t handed = 0;
          const std::uint64_t repeated = window.each_slice([&](std::span<const LoadedEdge> edges) {
            handed += edges.size();
            for (const LoadedEdge& edge : edges)
              found.insert(edge_key(edge.follower, edge.followee));
          });
          REQUIRE(found == expected);
          REQUIRE(handed == expected.size());
          REQUIRE(repeated == added - expected.size());
        }
      }
    }
  }
}

TEST_CASE("edge window: whatever is taken touches far fewer rows than the order by follower") {
  EdgeWindow tiled(10'000);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t run = 0; run < 4; ++run) {
    const auto some = random_keys(40'000, 10'000, run);
    tiled.add_run(some);
    keys.insert(keys.end(), some.begin(), some.end());
  }
  std::vector<std::uint64_t> scratch;
  sort_edges(keys, scratch);
  for (const std::size_t take : {5'000u, 10'000u, 20'000u}) {
    CAPTURE(take);
    std::size_t by_follower = 0;
    for (std::size_t i = 0; i < keys.size(); i += take) {
      std::set<std::uint32_t> followers;
      std::set<std::uint32_t> followees;
      for (std::size_t j = i; j < std::min(i + take, keys.size()); ++j) {
        followers.insert(static_cast<std::uint32_t>(keys[j] >> 32));
        followees.insert(static_cast<std::uint32_t>(keys[j]));
      }
      by_follower += followers.size() + followees.size();
    }
    CHECK(rows_touched(tiled, take) * 10 < by_follower * 9);
  }
}

TEST_CASE("edge window: an edge takes about three bytes") {
  EdgeWindow window;
  window.add_run(random_keys(1'000'000, 200'000, 1));
  CHECK(window.bytes() < window.edges() * 4);
}

}  // namespace chirp::load
