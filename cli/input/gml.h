// GML, the Graph Modelling Language: nested lists of keys and values.
//
//   graph [ directed 1
//     node [ id 1 label "Ada" ]
//     edge [ source 1 target 2 ] ]
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/input/edge_run.h"
#include "cli/input/lines.h"

namespace chirp::cli::input {

[[nodiscard]] bool looks_like_gml(std::string_view head);

// Reads all of what `buffer` has open. Ids are numbers or strings. A node or an edge that lacks
// something, is not closed, or has a quote that is not closed, is a bad line. Returns the number of
// edges. Throws Error{kBadInput} for a bipartite graph.
std::uint64_t read_gml(TextBuffer& buffer, std::string_view name, BadLines& bad,
                       const EdgeSink& sink);

}  // namespace chirp::cli::input
