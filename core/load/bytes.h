// Numbers as bytes, for rows that a load keeps packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace chirp::load {

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

inline void put_text(std::string& out, std::string_view text) {
  put_varint(out, text.size());
  out.append(text);
}

inline std::string_view take_text(std::string_view& bytes) {
  const auto size = static_cast<std::size_t>(take_varint(bytes));
  const std::string_view text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return text;
}

}  // namespace chirp::load
