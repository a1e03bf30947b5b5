// Hashes passwords with bcrypt, from libxcrypt.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string>

#include <crypt.h>
#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/data_directory.h"
#include "store/secrets.h"

namespace chirp::store {
namespace {

constexpr const char* kMethod = "$2b$";
constexpr unsigned kCostMin = 4;
constexpr unsigned kCostMax = 31;

std::array<char, 16> random_salt() {
  std::array<unsigned char, 16> bytes{};
  fill_with_chance(bytes);
  return std::bit_cast<std::array<char, 16>>(bytes);
}

// Whether bcrypt uses the whole password: it truncates long ones, and stops at NUL.
bool is_whole(std::string_view password) {
  return password.size() <= limits::kPasswordMax && password.find('\0') == std::string_view::npos;
}

struct Wipe {
  void operator()(crypt_data* data) const noexcept {
    explicit_bzero(data, sizeof *data);
    delete data;
  }
};

// Empty if the setting is invalid. A result that starts with `*` is a failure and is never stored
// or compared.
std::string crypt_of(std::string_view password, const std::string& setting) {
  // 32 KiB, too large for a thread's stack; zeroed, as crypt_r requires.
  const std::unique_ptr<crypt_data, Wipe> data(new crypt_data());
  std::string terminated(password);
  const char* const hash = ::crypt_r(terminated.c_str(), setting.c_str(), data.get());
  explicit_bzero(terminated.data(), terminated.size());
  if (hash == nullptr || *hash == '*') return {};
  return hash;
}

// Compares in a time that does not depend on where the two differ.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  int difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

// Returns the cost of a hash: the two digits after kMethod. If they are not a number, returns a
// cost that no hash has.
unsigned cost_of(std::string_view hash) {
  const std::string_view digits = hash.substr(4, 2);
  unsigned cost = kCostMax;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), cost);
  return error == std::errc{} && end == digits.data() + digits.size() ? cost : kCostMax;
}

// Each step of the cost doubles the work. So a hash of cost n and one each of n, n + 1, … m - 1
// take as long as one of m.
void spend(std::string_view password, unsigned from, unsigned to) {
  for (unsigned cost = std::max(from, kCostMin); cost < std::min(to, kCostMax); ++cost) {
    (void)crypt_of(password, fmt::format("{}{:02}${}", kMethod, cost, std::string(22, 'u')));
  }
}

class BcryptHasher final : public PasswordHasher {
 public:
  [[nodiscard]] std::string hash(std::string_view password, unsigned cost) const override {
    if (!is_whole(password)) {
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("A password takes at most {} bytes and no NUL.", limits::kPasswordMax),
          "password");
    }
    if (cost < kCostMin || cost > kCostMax) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("The cost of bcrypt is {} to {}, not {}.", kCostMin, kCostMax, cost));
    }
    const std::array<char, 16> salt = random_salt();
    std::array<char, CRYPT_GENSALT_OUTPUT_SIZE> setting{};
    const bool made = ::crypt_gensalt_rn(kMethod, cost, salt.data(), static_cast<int>(salt.size()),
                                         setting.data(), static_cast<int>(setting.size()));
    std::string hash = made ? crypt_of(password, setting.data()) : std::string();
    if (hash.empty()) {
      throw Error(ErrorCode::kInternal,
                  "libcrypt refuses to make a bcrypt hash. Check its version.");
    }
    return hash;
  }

  [[nodiscard]] bool matches(std::string_view password, std::string_view hash,
                             unsigned cost) const override {
    constexpr std::size_t kHashSize = 60;
    if (!is_whole(password) || hash.size() != kHashSize || !hash.starts_with(kMethod)) return false;
    const std::string again = crypt_of(password, std::string(hash));
    spend(password, cost_of(hash), cost);
    return !again.empty() && same(again, hash);
  }
};

}  // namespace

std::unique_ptr<PasswordHasher> bcrypt_hasher() { return std::make_unique<BcryptHasher>(); }

}  // namespace chirp::store
