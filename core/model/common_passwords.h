// Passwords that everybody tries first.
#pragma once

#include <string_view>

namespace chirp {

// Whether it is among those that lists of leaked passwords are full of, in any case, or one
// character over and over. Such a password is guessed in a few attempts, whatever its hash costs.
[[nodiscard]] bool is_common_password(std::string_view password);

}  // namespace chirp
