// Who may see what Mastodon has written down, by whom it is addressed to.
#pragma once

#include <string_view>

#include <simdjson.h>

#include "cli/input/fields.h"

namespace chirp::cli::archive {

// Of an activity and of the object in it, whichever says fewer; kNamed if neither says anything,
// or nothing that is known. `followers` is the address of the account's followers.
[[nodiscard]] input::Audience audience_of(const simdjson::dom::object& activity,
                                          const simdjson::dom::object& object,
                                          std::string_view followers);

}  // namespace chirp::cli::archive
