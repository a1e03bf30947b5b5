#include "core/load/edge_order.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/radix_sort.h"

namespace chirp::load {
namespace {

// Below so many a comparison sort is as fast, and needs no room.
constexpr std::size_t kRadixFrom = 4096;
constexpr std::size_t kSamples = 4096;

constexpr UserNumber follower_of(std::uint64_t key) {
  return {static_cast<std::uint32_t>(key >> 32)};
}
constexpr UserNumber followee_of(std::uint64_t key) { return {static_cast<std::uint32_t>(key)}; }

// The followees that part the edges into `columns` of about equal size.
std::vector<UserNumber> column_bounds(std::span<const std::uint64_t> keys, std::size_t columns) {
  const std::size_t step = std::max<std::size_t>(1, keys.size() / kSamples);
  std::vector<UserNumber> samples;
  for (std::size_t i = 0; i < keys.size(); i += step) samples.push_back(followee_of(keys[i]));
  std::ranges::sort(samples);
  std::vector<UserNumber> bounds;
  for (std::size_t i = 1; i < columns; ++i) bounds.push_back(samples[i * samples.size() / columns]);
  return bounds;
}

}  // namespace

void sort_edges(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch) {
  if (keys.size() < kRadixFrom) {
    std::ranges::sort(keys);
  } else {
    radix_sort(keys, scratch);
  }
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

std::vector<LoadedEdge> tiled_edges(const std::vector<std::uint64_t>& keys, std::size_t tile) {
  const double tiles = static_cast<double>(keys.size()) / static_cast<double>(tile);
  const auto side =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(std::sqrt(tiles))));
  const std::vector<UserNumber> bounds = column_bounds(keys, side);
  const auto column = [&bounds](std::uint64_t key) {
    return static_cast<std::size_t>(std::ranges::upper_bound(bounds, followee_of(key)) -
                                    bounds.begin());
  };
  std::vector<LoadedEdge> edges(keys.size());
  for (std::size_t row = 0; row < side; ++row) {
    const std::size_t begin = keys.size() * row / side;
    const std::size_t end = keys.size() * (row + 1) / side;
    std::vector<std::size_t> places(side + 1, 0);
    for (std::size_t i = begin; i < end; ++i) ++places[column(keys[i]) + 1];
    places[0] = begin;
    for (std::size_t i = 1; i <= side; ++i) places[i] += places[i - 1];
    for (std::size_t i = begin; i < end; ++i) {
      edges[places[column(keys[i])]++] = {.follower = follower_of(keys[i]),
                                          .followee = followee_of(keys[i])};
    }
  }
  return edges;
}

}  // namespace chirp::load
