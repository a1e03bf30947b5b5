// `chirp load graph --as NAME`: the users that one user follows, has blocked or muted, as exported
// by Mastodon.
#pragma once

#include <string>

#include "cli/context.h"
#include "cli/load/session.h"

namespace chirp::cli {

// The accounts that the files list become users, by ids that are their addresses. Throws
// Error{kBadInput} for a file that lists none.
void load_accounts(Context& context, const LoadInput& input, const std::string& owner);

}  // namespace chirp::cli
