// Hashes passwords for storing.
#pragma once

#include <string>
#include <string_view>

namespace chirp {

class PasswordHasher {
 public:
  virtual ~PasswordHasher() = default;
  // Returns a bcrypt hash of cost 4 to 31. Takes some 200 ms at cost 12; never call it inside a
  // transaction. The password has 8 to 72 bytes and no NUL (checked by core/model/names.h).
  [[nodiscard]] virtual std::string hash(std::string_view password, unsigned cost) const = 0;
  // Whether the hash belongs to this password. Takes at least as long as a hash of `cost`, even if
  // the stored hash has a lower cost, so that the time does not reveal its age.
  [[nodiscard]] virtual bool matches(std::string_view password, std::string_view hash,
                                     unsigned cost) const = 0;
};

}  // namespace chirp
