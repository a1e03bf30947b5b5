// Who follows whom as sets in JSON: `{"from":["1","2"],"to":[3]}`, where every one of `from`
// follows every one of `to`; one object, one a line, or an array of them.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/input/edges.h"

namespace chirp::cli::input {

// Whether a text that starts so is of this kind: an object whose first member is an array of ids,
// whatever it is called. Ids are words where --ids says so alone.
[[nodiscard]] bool looks_like_follow_sets(std::string_view head, IdKind kind = IdKind::kNumbers);

// Reads all of what `buffer` has open, which may be some 256 MiB. An object with other members is a
// bad line: one of the two may be misspelt. Returns the number of edges.
std::uint64_t read_follow_sets(TextBuffer& buffer, std::string_view name, BadLines& bad,
                               const EdgeSink& sink);

}  // namespace chirp::cli::input
