// Hashes by libcrypto, which the first hash loads, and random numbers for secrets from the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace chirp::store {

// Computes sha256() of bytes that arrive in parts.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  // Call it once, at the end.
  [[nodiscard]] std::string digits();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The number of digits of a token's hash that identify it to its owner. A token has 256 random
// bits, so they reveal nothing about it.
inline constexpr std::size_t kSessionIdSize = 16;

// Returns 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);
// This and those below throw Error{kUnavailable} if the system has no random numbers.
void fill_with_chance(std::span<unsigned char> bytes);
// Returns 63 random bits, never 0.
[[nodiscard]] std::uint64_t random_id();
// Returns 256 random bits in base64url: 43 characters.
[[nodiscard]] std::string random_token();

}  // namespace chirp::store
