// Who may see a post that is an object of JSON: by a word, by a flag of its author, or by the
// addresses of ActivityPub.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "cli/input/fields.h"

namespace chirp::cli::input {

// By the addresses in `to` and `cc`, or in `audience` where both are missing; empty if all are.
// `is_followers` says whether an address is that of the author's followers.
[[nodiscard]] std::optional<Audience> addressed_to(
    const simdjson::dom::object& object,
    const std::function<bool(std::string_view address)>& is_followers);

struct JsonAudience {
  Audience audience = Audience::kPublic;
  std::string problem;  // what is wrong with such a field; empty if nothing is
};

// By every field of the object that is about that; the narrowest counts. A repost has words of the
// post inside of it, so it is for nobody who may not see that one.
[[nodiscard]] JsonAudience audience_of(const simdjson::dom::object& post);

// The same for an author, whose object says whether posts are for followers only.
[[nodiscard]] JsonAudience audience_of_author(const simdjson::dom::object& user);

}  // namespace chirp::cli::input
