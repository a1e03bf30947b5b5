// Pseudorandom numbers that are the same on every machine: a mixed counter (SplitMix64).
//
// It uses no distributions of std, whose results no standard fixes, and no floating point.
#pragma once

#include <cstdint>

namespace chirp::load {

constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E37'79B9'7F4A'7C15u;
  x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9u;
  x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EBu;
  return x ^ (x >> 31);
}

class SeedRandom {
 public:
  // A separate sequence for each kind of thing (`stream`) and each thing (`index`) in a world
  // (`seed`).
  constexpr SeedRandom(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
      : state_(mixed(mixed(mixed(seed) ^ stream) ^ index)) {}

  constexpr std::uint64_t next() { return mixed(state_++); }
  // 0 … n - 1, evenly distributed; n from 1 to 2^32.
  constexpr std::uint64_t below(std::uint64_t n) { return ((next() >> 32) * n) >> 32; }
  // True in `parts` of a hundred cases.
  constexpr bool percent(std::uint64_t parts) { return below(100) < parts; }
  // 0 … n - 1, low numbers far more often: the share of i falls as i^(-1/2), or as i^(-2/3).
  constexpr std::uint64_t skewed(std::uint64_t n) {
    const std::uint64_t x = next() >> 32;
    return (((x * x) >> 32) * n) >> 32;
  }
  constexpr std::uint64_t very_skewed(std::uint64_t n) {
    const std::uint64_t x = next() >> 32;
    return (((((x * x) >> 32) * x) >> 32) * n) >> 32;
  }

 private:
  std::uint64_t state_;
};

}  // namespace chirp::load
