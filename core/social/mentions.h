// Who is meant by the mentions of a text.
#pragma once

#include <string_view>
#include <vector>

#include "core/social/accounts.h"

namespace chirp::social {

// The users there are, in the order in which they first come, nobody twice, without `author`;
// limits::kMentionsMax at most.
[[nodiscard]] std::vector<UserNumber> mentioned_in(std::string_view text, UserNumber author,
                                                   Accounts& accounts);

}  // namespace chirp::social
