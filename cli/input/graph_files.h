// Files of nodes and edges: which formats there are, and how they are told by their contents.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/input/edge_run.h"
#include "cli/input/lines.h"

namespace chirp::cli::input {

enum class GraphFormat : std::uint8_t { kNone, kGraphMl, kGexf, kNodeLink, kGml, kPajek };

// `head` is the start of a text, as edges_head() returns it.
[[nodiscard]] GraphFormat graph_format_of(std::string_view head);

// Reads all of what `buffer` has open, which is not kNone. `name` is for messages. Returns the
// number of edges.
std::uint64_t read_graph(TextBuffer& buffer, std::string_view name, GraphFormat format,
                         BadLines& bad, const EdgeSink& sink);

}  // namespace chirp::cli::input
