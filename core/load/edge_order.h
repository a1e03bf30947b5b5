// The order in which a window of edges is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ports/storage.h"

namespace chirp::load {

// Edges of one tile: about a transaction of them.
inline constexpr std::size_t kTileEdges = std::size_t{1} << 17;

// Follower above, followee below: edges that sort as numbers.
constexpr std::uint64_t edge_key(UserNumber follower, UserNumber followee) {
  return (std::uint64_t{follower.value} << 32) | followee.value;
}

// Sorts the keys and removes repeated ones. `scratch` is room to work in.
void sort_edges(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch);

// Edges of sorted keys, in an order where each run of `tile` edges touches few rows on either side:
// in tiles (a range of followers by a range of followees), one after the other, each by follower,
// then followee. Ordered by follower alone, every transaction would touch the rows of all
// followees.
[[nodiscard]] std::vector<LoadedEdge> tiled_edges(const std::vector<std::uint64_t>& keys,
                                                  std::size_t tile = kTileEdges);

}  // namespace chirp::load
