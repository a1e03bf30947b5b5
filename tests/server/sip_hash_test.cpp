// Goal: SipHash is what it is everywhere else.
// Method: the example of the paper that names it, and texts of all lengths up to a few words under
// keys drawn at random, beside what libcrypto makes of them.
#include "server/sip_hash.h"

#include <cstring>
#include <memory>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "tests/support/seeds.h"

namespace chirp::test {
namespace {

struct FreeMac {
  void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
};

template <class Digest>
Digest by_libcrypto(const SipKey& key, const std::string& text) {
  const std::unique_ptr<EVP_MAC, FreeMac> mac(EVP_MAC_fetch(nullptr, "SIPHASH", nullptr));
  REQUIRE(mac != nullptr);
  const std::unique_ptr<EVP_MAC_CTX, FreeMac> context(EVP_MAC_CTX_new(mac.get()));
  std::size_t size = sizeof(Digest);
  const std::array parameters{OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                              OSSL_PARAM_construct_end()};
  std::array<unsigned char, sizeof key> bytes{};
  std::memcpy(bytes.data(), key.data(), sizeof key);
  std::array<unsigned char, sizeof(Digest)> out{};
  REQUIRE(EVP_MAC_init(context.get(), bytes.data(), bytes.size(), parameters.data()) == 1);
  REQUIRE(EVP_MAC_update(context.get(), reinterpret_cast<const unsigned char*>(text.data()),
                         text.size()) == 1);
  REQUIRE(EVP_MAC_final(context.get(), out.data(), &size, out.size()) == 1);
  Digest digest{};
  std::memcpy(&digest, out.data(), sizeof digest);
  return digest;
}

}  // namespace

TEST_CASE("sip hash: the paper's example comes out") {
  // The key 00 01 … 0f, and the text 00 01 … 0e.
  const SipKey key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::string text;
  for (char c = 1; c < 15; ++c) text += c;
  CHECK(sip_hash(key, 0, text) == 0xa129ca6149be45e5);
}

TEST_CASE("sip hash: texts of all lengths have the digests that libcrypto gives them") {
  std::mt19937_64 random(first_seed());
  for (std::size_t length = 0; length < 70; ++length) {
    const SipKey key{random(), random()};
    std::string text;
    while (text.size() < length) text += static_cast<char>(random());
    const char kind = static_cast<char>(random());
    CAPTURE(length);
    CHECK(sip_hash(key, kind, text) == by_libcrypto<std::uint64_t>(key, kind + text));
    CHECK(wide_sip_hash(key, kind, text) ==
          by_libcrypto<std::array<std::uint64_t, 2>>(key, kind + text));
  }
}

}  // namespace chirp::test
