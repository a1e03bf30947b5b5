// Edges gathered in memory, as many as fit, to be stored in an order that touches few rows.
//
// The store keeps a row of neighbours for each user and direction, so what a transaction costs is
// the rows it touches, not its edges. The more edges wait here, the more of them share a row: a
// list in no order stores several times faster from one window of 20 million edges than from ten
// of two. So edges are kept as differences, about three bytes each, in sorted runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/load/packed_edges.h"
#include "core/ports/storage.h"

namespace chirp::load {

// Edges of one tile: about a transaction of them.
inline constexpr std::size_t kTileEdges = std::size_t{1} << 17;

// Follower above, followee below: edges that sort as numbers.
constexpr std::uint64_t edge_key(UserNumber follower, UserNumber followee) {
  return (std::uint64_t{follower.value} << 32) | followee.value;
}

// Sorts keys and removes repeated ones. `scratch` is room to work in.
void sort_edges(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch);

// Counts about how many different user numbers there are: two numbers 16 million apart may be taken
// for one.
class Distinct {
 public:
  void add(UserNumber number) {
    if (seen_.empty()) seen_.resize(kBits);
    const std::uint32_t bit = number.value % kBits;
    if (!seen_[bit]) ++count_;
    seen_[bit] = true;
  }
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  static constexpr std::uint32_t kBits = std::uint32_t{1} << 24;

  std::vector<bool> seen_;
  std::size_t count_ = 0;
};

class EdgeWindow {
 public:
  explicit EdgeWindow(std::size_t tile = kTileEdges) : tile_(tile) {}

  // `keys` are sorted, each once.
  void add_run(std::span<const std::uint64_t> keys);
  // Edges gathered, those in several runs counted several times.
  [[nodiscard]] std::size_t edges() const { return edges_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Hands out every edge once, a slice (a range of followers) after the other. A slice's edges lie
  // in tiles, so that whatever number of them is taken from the front touches few rows on either
  // side. Returns how many repeated edges were left out.
  std::uint64_t each_slice(const std::function<void(std::span<const LoadedEdge>)>& take) const;
  // Hands out the first slice alone.
  void first_slice(const std::function<void(std::span<const LoadedEdge>)>& take) const;
  // Hands out the runs as they were added.
  void each_run(const std::function<void(std::span<const std::uint64_t>)>& take) const;

 private:
  struct Grid {
    std::size_t rows = 1;     // ranges of followers
    std::size_t columns = 1;  // ranges of followees
  };

  // Until `take` returns false.
  std::uint64_t slices(const std::function<bool(std::span<const LoadedEdge>)>& take) const;
  [[nodiscard]] std::size_t tiles() const { return (edges_ + tile_ - 1) / tile_; }
  [[nodiscard]] Grid grid() const;

  std::size_t tile_;
  std::size_t edges_ = 0;
  std::size_t bytes_ = 0;
  std::vector<PackedEdges> runs_;
  Distinct followers_;
  Distinct followees_;
  std::vector<std::uint64_t> samples_;  // keys, one of many
};

}  // namespace chirp::load
