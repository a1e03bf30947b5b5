// SipHash-2-4 of 64 and of 128 bits (Aumasson and Bernstein, 2012): a digest under a key that
// nobody who lacks the key can make fall together, for texts of a few dozen bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace chirp {

using SipKey = std::array<std::uint64_t, 2>;  // its 16 bytes, as they lie in memory

// Of the byte `kind` and the text behind it.
[[nodiscard]] std::uint64_t sip_hash(const SipKey& key, char kind, std::string_view text);
[[nodiscard]] std::array<std::uint64_t, 2> wide_sip_hash(const SipKey& key, char kind,
                                                         std::string_view text);

}  // namespace chirp
