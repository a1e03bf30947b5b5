// Draws one of several things by weight.
#pragma once

#include <cstdint>

namespace chirp::test {

// `below(n)` draws a number from 0 to n - 1. Each thing has a `weight`; at least one is not 0.
template <class Things, class Below>
[[nodiscard]] const auto& drawn_by_weight(const Things& things, Below below) {
  std::uint64_t total = 0;
  for (const auto& thing : things) total += thing.weight;
  std::uint64_t at = below(total);
  auto drawn = things.begin();
  for (; at >= drawn->weight; ++drawn) at -= drawn->weight;
  return *drawn;
}

}  // namespace chirp::test
