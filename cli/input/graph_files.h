// Files of nodes and edges: which formats there are, how they are told by their contents, and what
// reads each.
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
// number of edges. Throws Error{kBadInput} for a bipartite graph.
std::uint64_t read_graph(TextBuffer& buffer, std::string_view name, GraphFormat format,
                         BadLines& bad, const EdgeSink& sink);

// ---- each format; see read_graph()

// GraphML and GEXF: XML, with attributes of nodes and edges that are left out. Nodes become users,
// also those without edges. An edge that lacks an end is a bad line. XML that is not well-formed is
// one as well, and ends the file. Throws Error{kBadInput} for a text with a DTD of its own.
std::uint64_t read_graphml(TextBuffer& buffer, std::string_view name, BadLines& bad,
                           const EdgeSink& sink);
std::uint64_t read_gexf(TextBuffer& buffer, std::string_view name, BadLines& bad,
                        const EdgeSink& sink);

// JSON of nodes and links, as NetworkX (`node_link_data`), d3 and others write it:
//
//   {"directed": true, "nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target":
//   "b"}]}
//
// `edges` may stand for `links`, and `from` and `to` for `source` and `target`. Links name nodes by
// ids, by names if nodes have no ids, or by their positions in the list, from 0. An element that
// can't be used is a bad line. One that is not JSON at all, or longer than 1 MiB, ends the file.
// Throws Error{kBadInput} for lists of neighbours.
[[nodiscard]] bool looks_like_node_link(std::string_view head);
std::uint64_t read_node_link(TextBuffer& buffer, std::string_view name, BadLines& bad,
                             const EdgeSink& sink);

// GML, the Graph Modelling Language: nested lists of keys and values.
//
//   graph [ directed 1
//     node [ id 1 label "Ada" ]
//     edge [ source 1 target 2 ] ]
//
// Ids are numbers or strings. A node or an edge that lacks something, is not closed, or has a quote
// that is not closed, is a bad line.
[[nodiscard]] bool looks_like_gml(std::string_view head);
std::uint64_t read_gml(TextBuffer& buffer, std::string_view name, BadLines& bad,
                       const EdgeSink& sink);

// Pajek networks (.net, and networks in .paj): sections of lines.
//
//   *Vertices 3
//   1 "Ada"
//   *Arcs
//   1 2 1.5
//   *Edgeslist
//   2 3 1
//
// The vertices' numbers are the ids, and their labels are names. Arcs are directed and edges are
// not. Sections that are not of a graph are skipped with a note. Throws Error{kBadInput} for a
// two-mode network, which is bipartite, and for a matrix.
[[nodiscard]] bool looks_like_pajek(std::string_view head);
std::uint64_t read_pajek(TextBuffer& buffer, std::string_view name, BadLines& bad,
                         const EdgeSink& sink);

}  // namespace chirp::cli::input
