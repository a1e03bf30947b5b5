// Edges gathered in memory, as many as fit, to be stored in an order that touches few rows.
//
// The store has a row of neighbours for each user and direction, so the cost of a transaction is
// the number of rows it touches, not of edges. The more edges wait here, the more of them share a
// row: an unordered list is stored several times faster from one window of 20 million edges than
// from ten of two. So edges are kept as differences, about three bytes each, in sorted runs.
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

// The follower in the upper half, the followee in the lower half: edges that sort as numbers.
constexpr std::uint64_t edge_key(UserNumber follower, UserNumber followee) {
  return (std::uint64_t{follower.value} << 32) | followee.value;
}

// Sorts keys and removes repeated ones. `scratch` is working memory.
void sort_edges(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch);

// Estimates the number of different user numbers: two numbers 16 million apart may count as one.
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

  // `keys` are sorted, without duplicates.
  void add_run(std::span<const std::uint64_t> keys);
  // The number of gathered edges. An edge in several runs counts several times.
  [[nodiscard]] std::size_t edges() const { return edges_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  // Returns every edge once, slice by slice (a slice is a range of followers). The edges of a slice
  // are in tiles, so that any number of them from the front touches few rows on either side.
  // Returns the number of skipped duplicates.
  std::uint64_t each_slice(const std::function<void(std::span<const LoadedEdge>)>& take) const;
  // Returns only the first slice.
  void first_slice(const std::function<void(std::span<const LoadedEdge>)>& take) const;
  // Returns the runs as they were added.
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
  std::vector<std::uint64_t> samples_;  // a sample of the keys
};

}  // namespace chirp::load
