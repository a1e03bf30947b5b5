// Graphs as JSON of nodes and links, as NetworkX (`node_link_data`), d3 and others write them:
//
//   {"directed": true, "nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target":
//   "b"}]}
//
// `edges` may stand for `links`, and `from` and `to` for `source` and `target`. Links name nodes by
// ids, by names if nodes have no ids, or by their positions in the list, from 0.
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/input/edge_run.h"
#include "cli/input/lines.h"

namespace chirp::cli::input {

[[nodiscard]] bool looks_like_node_link(std::string_view head);

// Reads all of what `buffer` has open, an element at a time. An element that can't be used is a bad
// line; one that is not JSON at all, or longer than 1 MiB, ends the file. Returns the number of
// edges. Throws Error{kBadInput} for a bipartite graph, and for lists of neighbours.
std::uint64_t read_node_link(TextBuffer& buffer, std::string_view name, BadLines& bad,
                             const EdgeSink& sink);

}  // namespace chirp::cli::input
