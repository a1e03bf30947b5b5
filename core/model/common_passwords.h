// Passwords that attackers try first.
#pragma once

#include <string_view>

namespace chirp {

// Whether the password is common in lists of leaked passwords, or is one repeated character. The
// check ignores case, width and invisible characters. Such a password is guessed in a few attempts,
// whatever its hash costs.
[[nodiscard]] bool is_common_password(std::string_view password);

}  // namespace chirp
