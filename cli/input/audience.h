// Maps the visibility words of other services to chirp's privacy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/input/fields.h"
#include "core/model/post.h"

namespace chirp::cli::input {

// The audience that the source gives a post, from the narrowest to the widest.
enum class Audience : std::uint8_t {
  kNamed,      // the users it names: a direct message
  kSelf,       // the author; also groups that chirp does not have, such as mutual followers
  kFollowers,  // followers of the author
  kUnlisted,   // anyone with the address; no list shows it
  kPublic,
};

// Returns the privacy of a post for such an audience. Empty for kNamed, because such posts are not
// loaded.
[[nodiscard]] std::optional<Privacy> privacy_of(Audience audience,
                                                Privacy unlisted = Privacy::kFollowers);

// Reads the value of such a field. Returns empty for an unknown value, and kPublic for an empty
// one. With `of_mastodon`, "private" means followers only; otherwise it means the author only.
[[nodiscard]] std::optional<Audience> audience_in(Field field, std::string_view value,
                                                  bool of_mastodon);
// Returns the message for an unknown value.
[[nodiscard]] std::string unknown_audience(std::string_view name, Field field,
                                           std::string_view value);

}  // namespace chirp::cli::input
