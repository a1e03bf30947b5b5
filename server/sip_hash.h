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

// Digests of clients' data, of fixed size and keyed with a secret of this process. Outsiders can't
// choose texts that collide, and a stored digest reveals nothing about its text. Safe to call from
// any thread.
class KeyedDigest {
 public:
  // Throws Error{kUnavailable} if the system has no random numbers.
  KeyedDigest();
  KeyedDigest(const KeyedDigest&) = delete;
  KeyedDigest& operator=(const KeyedDigest&) = delete;

  // Returns a SipHash of 64 bits. `kind` separates texts of different kinds.
  [[nodiscard]] std::uint64_t of(char kind, std::string_view text) const {
    return sip_hash(key_, kind, text);
  }
  // 128 bits, for digests that replace secrets: a text with a given digest can't be guessed.
  using Wide = std::array<std::uint64_t, 2>;
  [[nodiscard]] Wide wide_of(char kind, std::string_view text) const {
    return wide_sip_hash(wide_key_, kind, text);
  }

 private:
  SipKey key_;
  SipKey wide_key_;
};

}  // namespace chirp
