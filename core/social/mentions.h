// Resolves the mentions of a text to users.
#pragma once

#include <string_view>
#include <vector>

#include "core/social/accounts.h"

namespace chirp::social {

// The existing users, in the order of first mention, unique, without `author`; at most
// limits::kMentionsMax.
[[nodiscard]] std::vector<UserNumber> mentioned_in(std::string_view text, UserNumber author,
                                                   Accounts& accounts);

}  // namespace chirp::social
