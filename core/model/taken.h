// Errors for valid names that can't be used now: the field, and what to do.
#pragma once

#include <string_view>

#include "core/error.h"
#include "core/model/user.h"

namespace chirp {

// Error{kAlreadyExists}: another user has the name.
[[nodiscard]] Error username_taken(std::string_view username);
[[nodiscard]] Error email_taken(std::string_view email);
// Error{kInvalidArgument}: too many names contain this text, or no index finds it.
[[nodiscard]] Error match_too_common(std::string_view match);

// Throws Error{kConflict} with field `username` if the user was renamed less than limits::kRenameMs
// ago, and `username` is not the same name in another case.
void check_rename(const User& user, std::string_view username, Time now);

}  // namespace chirp
