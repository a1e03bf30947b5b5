// Hashes, by libcrypto, which the first of them loads; and random numbers that nobody can guess, by
// the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace chirp::store {

// Of bytes that come bit by bit, as sha256().
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  // Once, at the end.
  [[nodiscard]] std::string digits();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Digits of a token's hash that name it to its owner. The token has 256 random bits, so they tell
// nothing of it.
inline constexpr std::size_t kSessionIdSize = 16;

// 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);
// Throws Error{kUnavailable} if the system has no random numbers, as those below do.
void fill_with_chance(std::span<unsigned char> bytes);
// 63 random bits, not 0.
[[nodiscard]] std::uint64_t random_id();
// 256 random bits in base64url: 43 characters.
[[nodiscard]] std::string random_token();

}  // namespace chirp::store
