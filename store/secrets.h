// Hashes and random numbers that nobody can guess: OpenSSL's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace chirp::store {

// 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);
// 63 random bits, not 0.
[[nodiscard]] std::uint64_t random_id();
// 256 random bits in base64url: 43 characters.
[[nodiscard]] std::string random_token();

}  // namespace chirp::store
