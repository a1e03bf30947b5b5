// Radix sort by 64-bit keys: least significant digit first, 11 bits at a time. Skips digits that
// are equal in all keys. Linear; faster than std::sort from some thousand keys on.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace chirp {

// Sorts `items` ascending by `key_of`; stable. `scratch` is working space, grown as needed and
// worth reusing.
template <class Item, class KeyOf>
void radix_sort(std::vector<Item>& items, std::vector<Item>& scratch, KeyOf key_of) {
  constexpr unsigned kBits = 11;
  constexpr std::size_t kBuckets = std::size_t{1} << kBits;
  std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t any = 0;
  for (const Item& item : items) {
    all &= key_of(item);
    any |= key_of(item);
  }
  const std::uint64_t varying = any & ~all;
  scratch.resize(items.size());
  for (unsigned shift = 0; shift < 64; shift += kBits) {
    if (((varying >> shift) & (kBuckets - 1)) == 0) continue;
    std::array<std::size_t, kBuckets> start{};
    for (const Item& item : items) ++start[(key_of(item) >> shift) & (kBuckets - 1)];
    std::size_t sum = 0;
    for (std::size_t& count : start) sum += std::exchange(count, sum);
    for (const Item& item : items) {
      scratch[start[(key_of(item) >> shift) & (kBuckets - 1)]++] = item;
    }
    items.swap(scratch);
  }
}

inline void radix_sort(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& scratch) {
  radix_sort(keys, scratch, [](std::uint64_t key) { return key; });
}

}  // namespace chirp
