// Numbers as bytes: LEB128 varints, and zigzag, which makes small numbers of either sign small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace chirp {

inline constexpr std::size_t kVarintMax = 10;  // bytes

inline void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

// Removes one from the front of `bytes`, which must have it.
inline std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  std::size_t at = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) break;
  }
  bytes.remove_prefix(at);
  return value;
}

constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

}  // namespace chirp
