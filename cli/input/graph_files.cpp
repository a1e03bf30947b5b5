#include "cli/input/graph_files.h"

#include <string>

#include "cli/input/cells.h"
#include "cli/input/graph_edges.h"
#include "cli/input/xml_reader.h"
#include "core/error.h"

namespace chirp::cli::input {

GraphFormat graph_format_of(std::string_view head) {
  const std::string_view root = xml_root(head).name;
  if (root == "graphml") return GraphFormat::kGraphMl;
  if (root == "gexf") return GraphFormat::kGexf;
  if (looks_like_node_link(head)) return GraphFormat::kNodeLink;
  if (looks_like_gml(head)) return GraphFormat::kGml;
  return looks_like_pajek(head) ? GraphFormat::kPajek : GraphFormat::kNone;
}

std::uint64_t read_graph(TextBuffer& buffer, std::string_view name, GraphFormat format,
                         BadLines& bad, const EdgeSink& sink) {
  switch (format) {
    case GraphFormat::kGraphMl:
      return read_graphml(buffer, name, bad, sink);
    case GraphFormat::kGexf:
      return read_gexf(buffer, name, bad, sink);
    case GraphFormat::kNodeLink:
      return read_node_link(buffer, name, bad, sink);
    case GraphFormat::kGml:
      return read_gml(buffer, name, bad, sink);
    case GraphFormat::kPajek:
      return read_pajek(buffer, name, bad, sink);
    case GraphFormat::kNone:
      break;
  }
  check(false, "a graph file has a format");
  return 0;
}

namespace {

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

void read_matrix_market(std::string_view comment, GraphBanner& banner) {
  banner.size_line = true;
  banner.square = true;
  // These kinds of matrices store each edge once for both directions.
  banner.undirected = has(comment, "symmetric") || has(comment, "hermitian");
  if (!has(comment, "coordinate")) {
    banner.problem = "a full matrix is not a list of edges";
  }
}

}  // namespace

void read_banner(std::string_view comment, bool first, GraphBanner& banner) {
  if (first && comment.starts_with("%%MatrixMarket")) return read_matrix_market(comment, banner);
  const std::size_t start = comment.find_first_not_of("#% \t");
  if (start == std::string_view::npos) return;
  const auto words = cells_of(comment.substr(start), ' ');
  if (first && comment.starts_with('%')) {
    if (words[0] == "sym") banner.undirected = true;
    if (words[0] == "bip") banner.problem = kBipartite;
  }
  const bool is_graph = words.size() > 1 && plain_name(words[1]).starts_with("graph");
  if (is_graph && plain_name(words[0]) == "undirected") banner.undirected = true;
  if (is_graph && plain_name(words[0]) == "bipartite") banner.problem = kBipartite;
}

}  // namespace chirp::cli::input
