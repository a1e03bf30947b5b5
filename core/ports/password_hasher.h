// Turning passwords into what may be stored.
#pragma once

#include <string>
#include <string_view>

namespace chirp {

class PasswordHasher {
 public:
  virtual ~PasswordHasher() = default;
  // A bcrypt hash of cost 4 to 31. Takes some 200 ms at cost 12, and never runs inside a
  // transaction. The password has 8 to 72 bytes and no NUL (core/model/names.h checks).
  [[nodiscard]] virtual std::string hash(std::string_view password, unsigned cost) const = 0;
  // Whether the hash is this password's. Takes as long as a hash of `cost` at least, whatever the
  // cost of this one, so that the time says nothing about how old it is.
  [[nodiscard]] virtual bool matches(std::string_view password, std::string_view hash,
                                     unsigned cost) const = 0;
};

}  // namespace chirp
