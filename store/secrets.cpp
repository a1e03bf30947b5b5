#include "store/secrets.h"

#include <array>
#include <cstring>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::store {
namespace {

template <std::size_t Size>
std::array<unsigned char, Size> random_bytes() {
  std::array<unsigned char, Size> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    throw Error(ErrorCode::kUnavailable, "The system has no random numbers. Try again.");
  }
  return bytes;
}

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

std::string digits_of(const Digest& digest) {
  std::string text;
  for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

void require(int result) {
  if (result != 1) throw Error(ErrorCode::kInternal, "A hash can't be made.");
}

}  // namespace

struct Sha256::State {
  struct Free {
    void operator()(EVP_MD_CTX* used) const { ::EVP_MD_CTX_free(used); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{::EVP_MD_CTX_new()};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  require(::EVP_DigestInit_ex(state_->context.get(), ::EVP_sha256(), nullptr));
}
Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  require(::EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()));
}

std::string Sha256::digits() {
  Digest digest{};
  require(::EVP_DigestFinal_ex(state_->context.get(), digest.data(), nullptr));
  return digits_of(digest);
}

std::string sha256(std::string_view bytes) {
  Digest digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digits_of(digest);
}

std::uint64_t random_id() {
  for (;;) {
    const auto bytes = random_bytes<8>();
    std::uint64_t id = 0;
    std::memcpy(&id, bytes.data(), bytes.size());
    id >>= 1;
    if (id != 0) return id;
  }
}

std::string random_token() {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const auto bytes = random_bytes<32>();
  std::string text;
  std::uint32_t bits = 0;
  int held = 0;
  for (const unsigned char byte : bytes) {
    bits = bits << 8 | byte;
    for (held += 8; held >= 6; held -= 6) text += kDigits[bits >> (held - 6) & 63];
  }
  text += kDigits[bits << (6 - held) & 63];
  return text;
}

}  // namespace chirp::store
