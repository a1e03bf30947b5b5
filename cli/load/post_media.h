// What posts say of their media, held against what a post can have.
#pragma once

#include <string>
#include <string_view>

#include "cli/load/session.h"
#include "core/load/source.h"

namespace chirp::cli {

// What a medium shows, in words, if these can be kept; else that is counted and said, at `where`.
[[nodiscard]] std::string kept_alt_text(LoadSession& session, std::string_view where,
                                        std::string_view text);

// Leaves the post the media that it can have: addresses of the web, limits::kPostMediaMax at most.
// What it can't is counted and said, at `where`.
void keep_addresses(LoadSession& session, std::string_view where, load::SourcePost& post);

}  // namespace chirp::cli
