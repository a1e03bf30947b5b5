// Who may see what Mastodon has written down, by whom it is addressed to.
#pragma once

#include <cstdint>
#include <string_view>

#include <simdjson.h>

namespace chirp::cli::archive {

// From the fewest to the most.
enum class Audience : std::uint8_t {
  kNamed,      // those who are named: a direct message
  kFollowers,  //
  kUnlisted,   // everybody who finds it, and in no list
  kPublic,
};

// Of an activity and of the object in it, whichever says fewer; kNamed if neither says anything,
// or nothing that is known. `followers` is the address of the account's followers.
[[nodiscard]] Audience audience_of(const simdjson::dom::object& activity,
                                   const simdjson::dom::object& object, std::string_view followers);

}  // namespace chirp::cli::archive
