// Sorting many 64-bit keys: least significant digit first, 11 bits at a time, digits that are the
// same in all keys left out. Linear; of use from some thousand keys on.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace chirp {

// Sorts `keys` ascending. `scratch` is room to work in, grown as needed and worth keeping.
inline void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch) {
  constexpr unsigned kBits = 11;
  constexpr std::size_t kBuckets = std::size_t{1} << kBits;
  std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t any = 0;
  for (const std::uint64_t key : keys) {
    all &= key;
    any |= key;
  }
  const std::uint64_t varying = any & ~all;
  scratch.resize(keys.size());
  for (unsigned shift = 0; shift < 64; shift += kBits) {
    if (((varying >> shift) & (kBuckets - 1)) == 0) continue;
    std::array<std::size_t, kBuckets> start{};
    for (const std::uint64_t key : keys) ++start[(key >> shift) & (kBuckets - 1)];
    std::size_t sum = 0;
    for (std::size_t& count : start) sum += std::exchange(count, sum);
    for (const std::uint64_t key : keys) scratch[start[(key >> shift) & (kBuckets - 1)]++] = key;
    keys.swap(scratch);
  }
}

}  // namespace chirp
