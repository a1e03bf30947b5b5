#include "store/secrets.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <sys/random.h>

#include <fmt/format.h>

#include "core/error.h"
#include "store/shared_library.h"

namespace chirp::store {
namespace {

struct Libcrypto {
  SharedLibrary library{CHIRP_LIBCRYPTO, "Making a hash"};
  decltype(&::EVP_MD_CTX_new) md_ctx_new = library.function("EVP_MD_CTX_new");
  decltype(&::EVP_MD_CTX_free) md_ctx_free = library.function("EVP_MD_CTX_free");
  decltype(&::EVP_sha256) sha256 = library.function("EVP_sha256");
  decltype(&::EVP_DigestInit_ex) digest_init = library.function("EVP_DigestInit_ex");
  decltype(&::EVP_DigestUpdate) digest_update = library.function("EVP_DigestUpdate");
  decltype(&::EVP_DigestFinal_ex) digest_final = library.function("EVP_DigestFinal_ex");
  decltype(&::SHA256) sha256_of = library.function("SHA256");
};

const Libcrypto& libcrypto() {
  static const Libcrypto opened;
  return opened;
}

template <std::size_t Size>
std::array<unsigned char, Size> random_bytes() {
  std::array<unsigned char, Size> bytes{};
  fill_with_chance(bytes);
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
    void operator()(EVP_MD_CTX* used) const { libcrypto().md_ctx_free(used); }
  };
  const Libcrypto& functions = libcrypto();
  std::unique_ptr<EVP_MD_CTX, Free> context{functions.md_ctx_new()};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  const Libcrypto& functions = state_->functions;
  require(functions.digest_init(state_->context.get(), functions.sha256(), nullptr));
}
Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  require(state_->functions.digest_update(state_->context.get(), bytes.data(), bytes.size()));
}

std::string Sha256::digits() {
  Digest digest{};
  require(state_->functions.digest_final(state_->context.get(), digest.data(), nullptr));
  return digits_of(digest);
}

std::string sha256(std::string_view bytes) {
  Digest digest{};
  libcrypto().sha256_of(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                        digest.data());
  return digits_of(digest);
}

void fill_with_chance(std::span<unsigned char> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno != EINTR) {
      throw Error(ErrorCode::kUnavailable, "The system has no random numbers. Try again.");
    }
    if (got > 0) bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
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
