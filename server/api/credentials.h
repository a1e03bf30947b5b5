// Checks passwords in requests, and counts the wrong ones.
#pragma once

#include <optional>
#include <string>

#include "core/model/user.h"
#include "server/api/call.h"

namespace chirp::api {

// A password for a name or e-mail address; without `user`, that name has no account. `typed` begins
// with a mark for its kind, so a name never equals an address.
struct Guess {
  std::optional<User> user;
  std::string typed;
  std::string password;
};
// Whether the password is right. Throws Problem 429 past the limit, right or wrong, and
// Error{kUnavailable} if too many passwords are being checked.
[[nodiscard]] bool is_right(const Call& call, const Guess& guess);

// Throws Problem 403 if this is not the caller's password, 429 past the limit.
void check_current_password(const Call& call, const std::string& password);

}  // namespace chirp::api
