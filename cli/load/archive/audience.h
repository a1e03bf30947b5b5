// The audience of a post in a Mastodon archive, by its addressees.
#pragma once

#include <string_view>

#include <simdjson.h>

#include "cli/input/json_audience.h"

namespace chirp::cli::archive {

// Returns the narrowest audience that the addresses and the words of an activity and of its object
// name; kNamed if neither has addresses. `followers` is the address of the account's followers.
[[nodiscard]] input::JsonAudience audience_of(const simdjson::dom::object& activity,
                                              const simdjson::dom::object& object,
                                              std::string_view followers);

}  // namespace chirp::cli::archive
