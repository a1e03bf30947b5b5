// Digests of fixed size of what clients send, under a secret of this process: nobody outside can
// choose texts that fall together, and what is kept says nothing about the text. Safe to call from
// any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "server/sip_hash.h"

namespace chirp::api {

class KeyedDigest {
 public:
  // Throws Error{kUnavailable} if the system has no random numbers.
  KeyedDigest();
  KeyedDigest(const KeyedDigest&) = delete;
  KeyedDigest& operator=(const KeyedDigest&) = delete;

  // SipHash of 64 bits. `kind` keeps texts of different kinds apart.
  [[nodiscard]] std::uint64_t of(char kind, std::string_view text) const {
    return sip_hash(key_, kind, text);
  }
  // Of 128 bits, for what stands in the place of a secret: no text that has one can be guessed.
  using Wide = std::array<std::uint64_t, 2>;
  [[nodiscard]] Wide wide_of(char kind, std::string_view text) const {
    return wide_sip_hash(wide_key_, kind, text);
  }

 private:
  SipKey key_;
  SipKey wide_key_;
};

}  // namespace chirp::api
