// SipHash-2-4 of 64 and of 128 bits (Aumasson and Bernstein, 2012): a keyed digest of short texts.
// Without the key, texts that collide can't be found.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace chirp {

using SipKey = std::array<std::uint64_t, 2>;  // its 16 bytes, in memory order

// Hashes the byte `kind` followed by the text.
[[nodiscard]] std::uint64_t sip_hash(const SipKey& key, char kind, std::string_view text);
[[nodiscard]] std::array<std::uint64_t, 2> wide_sip_hash(const SipKey& key, char kind,
                                                         std::string_view text);

}  // namespace chirp
