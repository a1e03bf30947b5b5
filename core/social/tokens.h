// API tokens: secrets that stand for a user, shown once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/user_directory.h"
#include "core/social/accounts.h"

namespace chirp::social {

struct NewToken {
  std::string token;
  std::optional<Time> expires_at;
};

// Whom a token stands for, and until when.
struct Bearer {
  User user;
  std::optional<Time> expires_at;
};

class Tokens {
 public:
  Tokens(TokenStore& tokens, Accounts& accounts, const Clock& clock)
      : tokens_(tokens), accounts_(accounts), clock_(clock) {}

  // `lifetime_ms` is above 0; without one it holds until it is revoked. Throws
  // Error{kInvalidArgument} with field `expires`.
  NewToken mint(const User& user, std::optional<std::int64_t> lifetime_ms);
  // This one alone; harmless if it is none.
  void revoke_this(std::string_view token) { tokens_.revoke_token(token); }
  // ---- as their owner sees them: those that hold now, the newest first
  // `token` is the one that asks, or none.
  [[nodiscard]] std::vector<Session> sessions(const User& user, std::string_view token,
                                              const std::optional<Session>& after,
                                              std::uint32_t limit) const {
    return tokens_.sessions(user.number, token, clock_.now(), after, limit);
  }
  // False if the user has no such session.
  bool revoke_session(const User& user, std::string_view id) {
    return tokens_.revoke_session(user.number, id);
  }
  // Revokes all of a user's but `kept`, and returns how many they were.
  std::uint64_t revoke_others(const User& user, std::string_view kept) {
    return tokens_.revoke_tokens(user.number, kept);
  }
  // Revokes all of a user's, and returns how many they were.
  std::uint64_t revoke(const User& user) { return tokens_.revoke_tokens(user.number, {}); }
  // Whose it is; empty if it is nobody's, has expired, or its owner is removed. Throws
  // AccountSuspended if they are suspended: the token stays, for when they are back.
  [[nodiscard]] std::optional<Bearer> bearer(std::string_view token) const;
  [[nodiscard]] std::optional<User> authenticate(std::string_view token) const;

 private:
  TokenStore& tokens_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
