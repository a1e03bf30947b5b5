#include "server/api/keyed_digest.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <sys/random.h>

#include "core/error.h"

namespace chirp::api {
namespace {

constexpr std::size_t kKeyBytes = 16;

struct FreeMac {
  void operator()(EVP_MAC* mac) const noexcept { EVP_MAC_free(mac); }
};
struct FreeContext {
  void operator()(EVP_MAC_CTX* context) const noexcept { EVP_MAC_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_MAC_CTX, FreeContext>;

std::array<unsigned char, kKeyBytes> random_key() {
  std::array<unsigned char, kKeyBytes> key{};
  if (::getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) {
    throw Error(ErrorCode::kUnavailable, "The system has no random numbers. Try again.");
  }
  return key;
}

void expect(bool done) { check(done, "libcrypto has SipHash"); }

}  // namespace

// A context that has its key and has seen no text; each digest is made on a copy.
class KeyedDigest::Keyed {
 public:
  explicit Keyed(std::size_t size) : mac_(EVP_MAC_fetch(nullptr, "SIPHASH", nullptr)) {
    expect(mac_ != nullptr);
    context_.reset(EVP_MAC_CTX_new(mac_.get()));
    expect(context_ != nullptr);
    const std::array parameters{OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                                OSSL_PARAM_construct_end()};
    const auto key = random_key();
    expect(EVP_MAC_init(context_.get(), key.data(), key.size(), parameters.data()) == 1);
  }

  template <class Digest>
  [[nodiscard]] Digest of(char kind, std::string_view text) const {
    const Context context(EVP_MAC_CTX_dup(context_.get()));
    expect(context != nullptr);
    const auto byte = static_cast<unsigned char>(kind);
    std::array<unsigned char, sizeof(Digest)> digest{};
    std::size_t size = 0;
    expect(EVP_MAC_update(context.get(), &byte, 1) == 1);
    expect(EVP_MAC_update(context.get(), reinterpret_cast<const unsigned char*>(text.data()),
                          text.size()) == 1);
    expect(EVP_MAC_final(context.get(), digest.data(), &size, digest.size()) == 1);
    Digest value{};
    std::memcpy(&value, digest.data(), sizeof value);
    return value;
  }

 private:
  std::unique_ptr<EVP_MAC, FreeMac> mac_;
  Context context_;
};

KeyedDigest::KeyedDigest()
    : keyed_(std::make_unique<Keyed>(sizeof(std::uint64_t))),
      wide_(std::make_unique<Keyed>(sizeof(Wide))) {}
KeyedDigest::~KeyedDigest() = default;

std::uint64_t KeyedDigest::of(char kind, std::string_view text) const {
  return keyed_->of<std::uint64_t>(kind, text);
}

KeyedDigest::Wide KeyedDigest::wide_of(char kind, std::string_view text) const {
  return wide_->of<Wide>(kind, text);
}

}  // namespace chirp::api
