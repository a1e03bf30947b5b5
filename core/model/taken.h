// What names are refused with that are not wrong in themselves: the field, and what to do.
#pragma once

#include <string_view>

#include "core/error.h"
#include "core/model/user.h"

namespace chirp {

// Somebody has it: Error{kAlreadyExists}.
[[nodiscard]] Error username_taken(std::string_view username);
[[nodiscard]] Error email_taken(std::string_view email);
// A part of names that too many have, or that nothing finds quickly: Error{kInvalidArgument}.
[[nodiscard]] Error match_too_common(std::string_view match);

// Throws Error{kConflict} with field `username` if the user was renamed less than limits::kRenameMs
// ago, and `username` is not the same name in another case.
void check_rename(const User& user, std::string_view username, Time now);

}  // namespace chirp
