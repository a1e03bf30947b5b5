// API tokens: secrets that stand for a user, shown once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ports/clock.h"
#include "core/ports/user_directory.h"
#include "core/social/accounts.h"

namespace chirp::social {

struct NewToken {
  std::string token;
  std::optional<Time> expires_at;
};

class Tokens {
 public:
  Tokens(UserDirectory& directory, Accounts& accounts, const Clock& clock)
      : directory_(directory), accounts_(accounts), clock_(clock) {}

  // `lifetime_ms` is above 0; without one it holds until it is revoked. Throws Error{kNotFound},
  // {kInvalidArgument} with field `expires`.
  NewToken mint(std::string_view name, std::optional<std::int64_t> lifetime_ms);
  NewToken mint(const User& user, std::optional<std::int64_t> lifetime_ms);
  // This one alone; harmless if it is none.
  void revoke_this(std::string_view token) { directory_.revoke_token(token); }
  // All of a user's. The number.
  std::uint64_t revoke(std::string_view name);
  // Whose it is; empty if it is nobody's, has expired, or its owner is removed.
  [[nodiscard]] std::optional<User> authenticate(std::string_view token) const;

 private:
  UserDirectory& directory_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
