// Digests for comparing loaded texts. Two different texts have the same digest with a chance of
// about 2^-64.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

namespace chirp::load {

// Returns a text that replaces all texts with this digest. It begins with NUL, which no loaded text
// does.
[[nodiscard]] inline std::string text_of_digest(std::uint64_t digest) {
  std::string text(1 + sizeof digest, '\0');
  std::memcpy(text.data() + 1, &digest, sizeof digest);
  return text;
}

[[nodiscard]] inline std::uint64_t text_digest(std::string_view text) {
  std::uint64_t digest = std::hash<std::string_view>()(text);
  const bool stands_for_others = text.size() == 1 + sizeof digest && text.front() == '\0';
  if (stands_for_others) std::memcpy(&digest, text.data() + 1, sizeof digest);
  return digest;
}

}  // namespace chirp::load
