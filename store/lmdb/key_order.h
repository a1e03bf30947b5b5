// Compares keys by bytes, like LMDB's default, but faster.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace chirp::lmdb {

// Like memcmp(), with a prefix before longer keys. A search compares about twenty keys of a dozen
// bytes, and calls of memcmp() alone take a fifth of its time.
[[nodiscard]] inline int compare_keys(std::string_view a, std::string_view b) {
  static_assert(std::endian::native == std::endian::little);
  const std::size_t both = a.size() < b.size() ? a.size() : b.size();
  std::size_t at = 0;
  for (; at + 8 <= both; at += 8) {
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    std::memcpy(&x, a.data() + at, 8);
    std::memcpy(&y, b.data() + at, 8);
    if (x != y) return __builtin_bswap64(x) < __builtin_bswap64(y) ? -1 : 1;
  }
  if (at + 4 <= both) {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::memcpy(&x, a.data() + at, 4);
    std::memcpy(&y, b.data() + at, 4);
    if (x != y) return __builtin_bswap32(x) < __builtin_bswap32(y) ? -1 : 1;
    at += 4;
  }
  for (; at < both; ++at) {
    const auto x = static_cast<unsigned char>(a[at]);
    const auto y = static_cast<unsigned char>(b[at]);
    if (x != y) return x < y ? -1 : 1;
  }
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

}  // namespace chirp::lmdb
