// Goal: ordering a window loses no edge and doubles none, and brings together what is stored
// together.
// Method: random windows of sizes around the bounds, and a count of the rows that runs touch.
#include "core/load/edge_order.h"

#include <algorithm>
#include <set>

#include <doctest/doctest.h>

#include "core/load/seed_random.h"

namespace chirp::load {
namespace {

std::vector<std::uint64_t> random_keys(std::size_t size, std::uint64_t users) {
  SeedRandom random(7, users, size);
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < size; ++i) {
    const auto follower = static_cast<std::uint32_t>(1 + random.below(users));
    const auto followee = static_cast<std::uint32_t>(1 + random.skewed(users));
    keys.push_back(edge_key({follower}, {followee}));
  }
  return keys;
}

std::uint64_t key_of(const LoadedEdge& edge) { return edge_key(edge.follower, edge.followee); }

// Rows of both directions that the runs touch, added up.
std::size_t rows_touched(const std::vector<LoadedEdge>& edges, std::size_t run) {
  std::size_t rows = 0;
  for (std::size_t i = 0; i < edges.size(); i += run) {
    std::set<std::uint32_t> followers;
    std::set<std::uint32_t> followees;
    for (std::size_t j = i; j < std::min(i + run, edges.size()); ++j) {
      followers.insert(edges[j].follower.value);
      followees.insert(edges[j].followee.value);
    }
    rows += followers.size() + followees.size();
  }
  return rows;
}

}  // namespace

TEST_CASE("edge order: every edge once, whatever the size") {
  for (const std::size_t size : {0u, 1u, 2u, 4095u, 4096u, 4097u, 50'000u}) {
    for (const std::uint64_t users : {2u, 300u, 4'000'000'000u}) {
      CAPTURE(size);
      CAPTURE(users);
      std::vector<std::uint64_t> keys = random_keys(size, users);
      const std::set<std::uint64_t> expected(keys.begin(), keys.end());
      std::vector<std::uint64_t> scratch;
      sort_edges(keys, scratch);
      CHECK(std::ranges::equal(keys, expected));
      for (const std::size_t tile : {100u, 1000u, 100'000u}) {
        const std::vector<LoadedEdge> edges = tiled_edges(keys, tile);
        std::set<std::uint64_t> found;
        for (const LoadedEdge& edge : edges) found.insert(key_of(edge));
        CHECK(edges.size() == expected.size());
        CHECK(found == expected);
      }
    }
  }
}

TEST_CASE("edge order: tiles touch fewer rows than the order by follower") {
  std::vector<std::uint64_t> keys = random_keys(160'000, 10'000);
  std::vector<std::uint64_t> scratch;
  sort_edges(keys, scratch);
  constexpr std::size_t kTile = 10'000;
  std::vector<LoadedEdge> sorted;
  for (const std::uint64_t key : keys) {
    sorted.push_back({{static_cast<std::uint32_t>(key >> 32)}, {static_cast<std::uint32_t>(key)}});
  }
  const std::size_t tiled = rows_touched(tiled_edges(keys, kTile), kTile);
  CHECK(tiled * 10 < rows_touched(sorted, kTile) * 9);
}

}  // namespace chirp::load
