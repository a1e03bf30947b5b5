// API tokens: secrets that authenticate a user, shown once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/ports/clock.h"
#include "core/ports/user_directory.h"
#include "core/social/accounts.h"

namespace chirp::social {

// The error for a suspended user who has proved their identity.
class AccountSuspended : public Error {
 public:
  AccountSuspended()
      : Error(ErrorCode::kForbidden,
              "This account is suspended. Its data is kept; ask the operator of this server.") {}
};

struct NewToken {
  std::string token;
  std::optional<Time> expires_at;
};

// The user of a token, and when it expires.
struct TokenOwner {
  User user;
  std::optional<Time> expires_at;
};

class Tokens {
 public:
  Tokens(TokenStore& tokens, Accounts& accounts, const Clock& clock)
      : tokens_(tokens), accounts_(accounts), clock_(clock) {}

  // `lifetime_ms` is above 0; without one the token is valid until it is revoked. Throws
  // Error{kInvalidArgument} with field `expires`.
  NewToken mint(const User& user, std::optional<std::int64_t> lifetime_ms);
  // Revokes this token; harmless if it does not exist.
  void revoke_this(std::string_view token) { tokens_.revoke_token(token); }
  // ---- sessions: the owner's view of valid tokens, newest first
  // `token` is the caller's own token, or empty.
  [[nodiscard]] std::vector<Session> sessions(const User& user, std::string_view token,
                                              const std::optional<Session>& after,
                                              std::uint32_t limit) const {
    return tokens_.sessions(user.number, token, clock_.now(), after, limit);
  }
  // Returns false if the user has no such session.
  bool revoke_session(const User& user, std::string_view id) {
    return tokens_.revoke_session(user.number, id);
  }
  // Revokes all of the user's tokens except `kept`, and returns how many.
  std::uint64_t revoke_others(const User& user, std::string_view kept) {
    return tokens_.revoke_tokens(user.number, kept);
  }
  // Revokes all of the user's tokens, and returns how many.
  std::uint64_t revoke(const User& user) { return tokens_.revoke_tokens(user.number, {}); }
  // Returns the user of a token; empty if the token is unknown or expired, or its user is removed.
  // Throws AccountSuspended if the user is suspended: the token stays valid for later.
  [[nodiscard]] std::optional<TokenOwner> bearer(std::string_view token) const;
  [[nodiscard]] std::optional<User> authenticate(std::string_view token) const;

 private:
  TokenStore& tokens_;
  Accounts& accounts_;
  const Clock& clock_;
};

}  // namespace chirp::social
