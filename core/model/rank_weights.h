// The weights of the parts of a ranked feed's score (docs/ranking.md).
#pragma once

#include <cstdint>

namespace chirp::feed {

// The weight of each part of a score; not all 0.
struct RankWeights {
  std::uint32_t recency = 40;
  std::uint32_t engagement = 20;
  std::uint32_t affinity = 20;
  std::uint32_t variety = 20;

  bool operator==(const RankWeights&) const = default;
};
inline constexpr std::uint32_t kRankWeightMax = 100;

}  // namespace chirp::feed
