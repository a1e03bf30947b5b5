// `chirp load graph --as NAME`: the users that one user follows, has blocked or muted, as exported
// by Mastodon.
#pragma once

#include <string>

#include "cli/context.h"
#include "cli/load/session.h"

namespace chirp::cli {

// Each listed account becomes a user, with its address as the id. Throws Error{kBadInput} for a
// file without accounts.
void load_accounts(Context& context, const LoadInput& input, const std::string& owner);

}  // namespace chirp::cli
