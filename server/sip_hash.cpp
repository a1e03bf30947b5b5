#include "server/sip_hash.h"

#include <bit>
#include <cstddef>
#include <sys/random.h>

#include "core/error.h"

namespace chirp {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

constexpr std::size_t kWord = sizeof(std::uint64_t);

// The paper's names for its words.
class State {
 public:
  State(const SipKey& key, std::uint64_t width)
      : v0_(key[0] ^ 0x736f6d6570736575),
        v1_(key[1] ^ 0x646f72616e646f6d ^ width),
        v2_(key[0] ^ 0x6c7967656e657261),
        v3_(key[1] ^ 0x7465646279746573) {}

  void take(char kind, std::string_view text) {
    std::uint64_t word = static_cast<unsigned char>(kind);
    std::size_t filled = 1;
    for (const char c : text) {
      word |= std::uint64_t{static_cast<unsigned char>(c)} << (8 * filled);
      if (++filled < kWord) continue;
      take(word);
      word = 0;
      filled = 0;
    }
    take(word | std::uint64_t{text.size() + 1} << 56);
  }

  // `mark` separates the last rounds of the two widths, and the two halves.
  std::uint64_t first(std::uint64_t mark) {
    v2_ ^= mark;
    return mixed();
  }
  std::uint64_t second(std::uint64_t mark) {
    v1_ ^= mark;
    return mixed();
  }

 private:
  void take(std::uint64_t word) {
    v3_ ^= word;
    round();
    round();
    v0_ ^= word;
  }

  std::uint64_t mixed() {
    for (int i = 0; i < 4; ++i) round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

  void round() {
    v0_ += v1_;
    v1_ = std::rotl(v1_, 13) ^ v0_;
    v0_ = std::rotl(v0_, 32);
    v2_ += v3_;
    v3_ = std::rotl(v3_, 16) ^ v2_;
    v0_ += v3_;
    v3_ = std::rotl(v3_, 21) ^ v0_;
    v2_ += v1_;
    v1_ = std::rotl(v1_, 17) ^ v2_;
    v2_ = std::rotl(v2_, 32);
  }

  std::uint64_t v0_;
  std::uint64_t v1_;
  std::uint64_t v2_;
  std::uint64_t v3_;
};

SipKey random_key() {
  SipKey key{};
  if (::getrandom(key.data(), sizeof key, 0) != static_cast<ssize_t>(sizeof key)) {
    throw Error(ErrorCode::kUnavailable, "The system gave no random numbers. Try again.");
  }
  return key;
}

}  // namespace

std::uint64_t sip_hash(const SipKey& key, char kind, std::string_view text) {
  State state(key, 0);
  state.take(kind, text);
  return state.first(0xff);
}

std::array<std::uint64_t, 2> wide_sip_hash(const SipKey& key, char kind, std::string_view text) {
  State state(key, 0xee);
  state.take(kind, text);
  const std::uint64_t low = state.first(0xee);
  return {low, state.second(0xdd)};
}

KeyedDigest::KeyedDigest() : key_(random_key()), wide_key_(random_key()) {}

}  // namespace chirp
