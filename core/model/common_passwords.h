// Passwords that everybody tries first.
#pragma once

#include <string_view>

namespace chirp {

// Whether it is among those that lists of leaked passwords are full of, or one character over and
// over; in any case, of any width, and whatever stands around it or between that can't be seen.
// Such a password is guessed in a few attempts, whatever its hash costs.
[[nodiscard]] bool is_common_password(std::string_view password);

}  // namespace chirp
