// Passwords that a call is sent: what of them is counted, and whether they are right.
#pragma once

#include <optional>
#include <string>

#include "core/model/user.h"
#include "server/api/call.h"

namespace chirp::api {

// A password typed for a name or an e-mail address; without `user` there is nobody of that name.
// `typed` begins with which of the two it is, so that a name never equals an address.
struct Guess {
  std::optional<User> user;
  std::string typed;
  std::string password;
};
// Whether it is theirs. Throws Problem 429 past the bound, whether it is right or not, and Error
// {kUnavailable} if too many passwords are being checked.
[[nodiscard]] bool is_right(const Call& call, const Guess& guess);

// Throws Problem 403 unless this is the caller's present password, 429 past the bound.
void check_current_password(const Call& call, const std::string& password);

}  // namespace chirp::api
