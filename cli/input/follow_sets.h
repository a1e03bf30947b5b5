// Follows as sets in JSON: `{"from":["1","2"],"to":[3]}`, where every user in `from` follows every
// user in `to`. One object, one object a line, or an array of objects.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/input/edges.h"

namespace chirp::cli::input {

// Whether a text with this start has this format: an object whose first member, of any name, is an
// array of ids. Ids may be words only if --ids says so.
[[nodiscard]] bool looks_like_follow_sets(std::string_view head, IdKind kind = IdKind::kNumbers);

// Reads everything in `buffer`, which may need some 256 MiB. An object with other members is a bad
// line, because a member may be misspelt. Returns the number of edges.
std::uint64_t read_follow_sets(TextBuffer& buffer, std::string_view name, BadLines& bad,
                               const EdgeSink& sink);

}  // namespace chirp::cli::input
