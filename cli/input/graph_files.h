// Files of nodes and edges: the supported formats, their detection by content, and their readers.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cli/input/edge_run.h"
#include "cli/input/graph_edges.h"
#include "cli/input/lines.h"

namespace chirp::cli::input {

// METIS: a row with the numbers of nodes and edges, then a row for each node with its neighbours,
// but without the node itself. If all rows have equal length, it looks like an edge list.
using RowIds = std::span<const std::uint64_t>;

// Whether rows of numbers of different lengths look like METIS. `whole`: they are the whole text.
[[nodiscard]] bool looks_like_metis(std::span<const RowIds> rows, bool whole);

// Whether the rows satisfy all rules of METIS: node numbers within the first row's, no self-loops,
// and symmetric neighbours.
[[nodiscard]] bool keeps_to_metis(std::span<const RowIds> rows, bool whole);

// Reads what the leading comments of an edge list declare about the graph.
//
//   # Undirected graph: …          SNAP
//   % sym unweighted               KONECT: sym, asym, bip
//   %%MatrixMarket matrix coordinate pattern symmetric
struct GraphBanner {
  bool undirected = false;
  bool size_line = false;      // the first row has the numbers of nodes and edges
  bool square = false;         // … and its first two numbers are equal, or it is bipartite
  std::string_view problem{};  // why it can't be read, or empty
};

// Adds what a comment declares. `first` is true for the first line of the text.
void read_banner(std::string_view comment, bool first, GraphBanner& banner);

enum class GraphFormat : std::uint8_t { kNone, kGraphMl, kGexf, kNodeLink, kGml, kPajek };

// `head` is the start of a text, as edges_head() returns it.
[[nodiscard]] GraphFormat graph_format_of(std::string_view head);

// Reads everything in `buffer`, whose format is not kNone. `name` is for messages. Returns the
// number of edges. Throws Error{kBadInput} for a bipartite graph.
std::uint64_t read_graph(TextBuffer& buffer, std::string_view name, GraphFormat format,
                         BadLines& bad, const EdgeSink& sink);

// ---- each format; see read_graph()

// GraphML and GEXF: XML. Ignores attributes of nodes and edges. All nodes become users, also those
// without edges. An edge without a source or target is a bad line. XML that is not well-formed is
// one as well, and ends the file. Throws Error{kBadInput} for a text with its own DTD.
std::uint64_t read_graphml(const GraphText& text);
std::uint64_t read_gexf(const GraphText& text);

// JSON of nodes and links, as written by NetworkX (`node_link_data`), d3 and others:
//
//   {"directed": true, "nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target":
//   "b"}]}
//
// `links` may also be called `edges`, and `source` and `target` may be `from` and `to`. Links name
// nodes by ids, by names if nodes have no ids, or by their positions in the list, from 0. An
// element that can't be used is a bad line. One that is not JSON, or longer than 1 MiB, ends the
// file. Throws Error{kBadInput} for lists of neighbours.
[[nodiscard]] bool looks_like_node_link(std::string_view head);
std::uint64_t read_node_link(const GraphText& text);

// GML, the Graph Modelling Language: nested lists of keys and values.
//
//   graph [ directed 1
//     node [ id 1 label "Ada" ]
//     edge [ source 1 target 2 ] ]
//
// Ids are numbers or strings. A node or an edge is a bad line if it lacks a part, is not closed, or
// has an unclosed quote.
[[nodiscard]] bool looks_like_gml(std::string_view head);
std::uint64_t read_gml(const GraphText& text);

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
std::uint64_t read_pajek(const GraphText& text);

}  // namespace chirp::cli::input
