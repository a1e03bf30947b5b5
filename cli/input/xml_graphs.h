// GraphML and GEXF: graphs in XML, with attributes of nodes and edges that are left out.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/input/edge_run.h"
#include "cli/input/lines.h"

namespace chirp::cli::input {

// Reads all of what `buffer` has open. Nodes become users, also those without edges. An edge that
// lacks an end is a bad line; XML that is not well-formed is one, and ends the file. Returns the
// number of edges. Throws Error{kBadInput} for a text with a DTD of its own, and for a bipartite
// graph.
std::uint64_t read_graphml(TextBuffer& buffer, std::string_view name, BadLines& bad,
                           const EdgeSink& sink);
std::uint64_t read_gexf(TextBuffer& buffer, std::string_view name, BadLines& bad,
                        const EdgeSink& sink);

}  // namespace chirp::cli::input
