// What a name or an address that somebody has is refused with: Error{kAlreadyExists}, its field,
// and what to do.
#pragma once

#include <string_view>

#include "core/error.h"

namespace chirp {

[[nodiscard]] Error username_taken(std::string_view username);
[[nodiscard]] Error email_taken(std::string_view email);

}  // namespace chirp
