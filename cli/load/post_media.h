// Checks the media of loaded posts against the limits of a post.
#pragma once

#include <string>
#include <string_view>

#include "cli/load/session.h"
#include "core/load/source.h"

namespace chirp::cli {

// Returns the description of a medium if it is valid. Otherwise counts and reports it, with the
// position `where`.
[[nodiscard]] std::string kept_alt_text(LoadSession& session, std::string_view where,
                                        std::string_view text);

// Keeps the media that a post can have: web addresses, at most limits::kPostMediaMax. Counts and
// reports the others, with the position `where`.
void keep_addresses(LoadSession& session, std::string_view where, load::SourcePost& post);

}  // namespace chirp::cli
