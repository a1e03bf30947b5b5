// Follow edges that a dry run has counted: about three bytes each, in sorted blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/load/packed_edges.h"

namespace chirp::cli::rehearsal {

class EdgeSet {
 public:
  // Returns those of the sorted keys that are in the set.
  [[nodiscard]] std::vector<std::uint64_t> among(std::span<const std::uint64_t> keys) const;
  // `keys` are sorted, without duplicates, and not in the set.
  void add(std::span<const std::uint64_t> keys);
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  using Blocks = std::map<std::uint64_t, load::PackedEdges>;

  // How many of the keys, from the front, belong to this block.
  [[nodiscard]] std::size_t share(Blocks::const_iterator block,
                                  std::span<const std::uint64_t> keys) const;

  Blocks blocks_;  // by the first key; the first block has the key 0
  std::size_t bytes_ = 0;
};

}  // namespace chirp::cli::rehearsal
