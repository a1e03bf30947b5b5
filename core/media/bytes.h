// Reads numbers from untrusted bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace chirp::media {

constexpr std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

// Big-endian and little-endian numbers of `Size` bytes; the caller must check that they exist.
template <std::size_t Size>
constexpr std::uint64_t big(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < Size; ++i) value = value << 8 | byte_at(bytes, at + i);
  return value;
}
template <std::size_t Size>
constexpr std::uint64_t little(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = Size; i-- > 0;) value = value << 8 | byte_at(bytes, at + i);
  return value;
}

// Whether there are `size` bytes from `at` on.
constexpr bool has(std::string_view bytes, std::size_t at, std::uint64_t size) {
  return at <= bytes.size() && size <= bytes.size() - at;
}
constexpr bool stands_at(std::string_view bytes, std::size_t at, std::string_view what) {
  return has(bytes, at, what.size()) && bytes.substr(at, what.size()) == what;
}

}  // namespace chirp::media
