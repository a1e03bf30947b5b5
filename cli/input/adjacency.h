// Reads adjacency lists. Each line is a user and the users they follow: `1: 2 3 4`, `1 2 3 4`,
// `1<tab>2,3,4`.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/input/edge_shape.h"
#include "cli/input/edges.h"

namespace chirp::cli::input {

// Reads the rest of `buffer`, an adjacency list. `asked` is the requested format.
std::uint64_t read_adjacency(TextBuffer& buffer, std::string_view name, const EdgeShape& shape,
                             EdgeFormat asked, BadLines& bad, const EdgeSink& sink);

}  // namespace chirp::cli::input
