// The audience of a post given as a JSON object: by a keyword, by a flag of its author, or by
// ActivityPub addresses.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "cli/input/audience.h"

namespace chirp::cli::input {

// Returns the audience by the addresses in `to` and `cc`, or in `audience` if both are missing;
// empty if all three are missing. `is_followers` says whether an address is the author's followers
// collection.
[[nodiscard]] std::optional<Audience> addressed_to(
    const simdjson::dom::object& object,
    const std::function<bool(std::string_view address)>& is_followers);

struct JsonAudience {
  Audience audience = Audience::kPublic;
  bool is_author_protected = false;  // or of the post's author, by a field of this one
  std::string problem;               // the fault of such a field, or empty
};

// Returns the audience by every field of the object that limits it; the narrowest counts. A repost
// contains the original's words, so its audience is never wider than the original's.
[[nodiscard]] JsonAudience audience_of(const simdjson::dom::object& post);

// The same by fields such as `visibility` only, without addresses and without the original.
[[nodiscard]] JsonAudience audience_by_words(const simdjson::dom::object& post);

// The same as audience_of() for a user object, which says whether the author's posts are for
// followers only.
[[nodiscard]] JsonAudience audience_of_author(const simdjson::dom::object& user);

}  // namespace chirp::cli::input
