#include "cli/input/graph_files.h"

#include <algorithm>
#include <array>
#include <optional>

#include "cli/input/cells.h"
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
  const GraphText text{buffer, name, bad, sink};
  switch (format) {
    case GraphFormat::kGraphMl:
      return read_graphml(text);
    case GraphFormat::kGexf:
      return read_gexf(text);
    case GraphFormat::kNodeLink:
      return read_node_link(text);
    case GraphFormat::kGml:
      return read_gml(text);
    case GraphFormat::kPajek:
      return read_pajek(text);
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

namespace {

// The values of the first row.
struct MetisHeader {
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t of_node = 0;  // numbers in a row before the neighbours: the node's weights
  std::uint64_t of_edge = 1;  // numbers for each neighbour: itself, and perhaps a weight
};

// The third number tells which weights rows have, and the fourth how many weights a node has.
std::optional<MetisHeader> sizes_in(RowIds row) {
  constexpr std::array<std::uint64_t, 8> kWeights{0, 1, 10, 11, 100, 101, 110, 111};
  if (row.size() < 2 || row.size() > 4) return std::nullopt;
  const std::uint64_t weights = row.size() > 2 ? row[2] : 0;
  if (std::ranges::find(kWeights, weights) == kWeights.end()) return std::nullopt;
  return MetisHeader{.nodes = row[0],
                     .edges = row[1],
                     .of_node = weights / 100 + weights / 10 % 10 * (row.size() > 3 ? row[3] : 1),
                     .of_edge = weights % 10 + 1};
}

bool names(const std::vector<std::uint64_t>& neighbours, std::uint64_t node) {
  return std::ranges::find(neighbours, node) != neighbours.end();
}

// The neighbours of this node; empty if the row is not valid METIS.
std::optional<std::vector<std::uint64_t>> neighbours_in(RowIds row, const MetisHeader& sizes,
                                                        std::uint64_t node) {
  if (row.size() < sizes.of_node || (row.size() - sizes.of_node) % sizes.of_edge != 0) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> neighbours;
  for (std::size_t i = sizes.of_node; i < row.size(); i += sizes.of_edge) {
    const bool fits = row[i] >= 1 && row[i] <= sizes.nodes && row[i] != node;
    if (!fits || names(neighbours, row[i])) return std::nullopt;
    neighbours.push_back(row[i]);
  }
  return neighbours;
}

}  // namespace

bool looks_like_metis(std::span<const RowIds> rows, bool whole) {
  const auto sizes = sizes_in(rows.front());
  if (!sizes || rows.size() - 1 > sizes->nodes) return false;
  if (whole) {
    std::uint64_t named = 0;
    for (const RowIds row : rows.subspan(1)) named += row.size();
    return named == sizes->of_edge * 2 * sizes->edges + sizes->of_node * sizes->nodes;
  }
  // The first numbers of an adjacency list are distinct; those of METIS are neighbours and repeat.
  const bool weighted = sizes->of_edge > 1 || sizes->of_node > 0;
  std::vector<std::uint64_t> firsts;
  for (const RowIds row : rows.subspan(1)) {
    if (!weighted && std::ranges::any_of(row, [&](auto id) { return id > sizes->nodes; })) {
      return false;
    }
    firsts.push_back(row.front());
  }
  std::ranges::sort(firsts);
  return std::ranges::adjacent_find(firsts) != firsts.end();
}

bool keeps_to_metis(std::span<const RowIds> rows, bool whole) {
  const auto sizes = sizes_in(rows.front());
  const std::size_t seen = rows.size() - 1;
  if (!sizes || (whole ? seen != sizes->nodes : seen > sizes->nodes)) return false;
  std::vector<std::vector<std::uint64_t>> lists(1);
  std::uint64_t named = 0;
  for (std::size_t node = 1; node <= seen; ++node) {
    auto neighbours = neighbours_in(rows[node], *sizes, node);
    if (!neighbours) return false;
    named += neighbours->size();
    lists.push_back(*std::move(neighbours));
  }
  if (named > 2 * sizes->edges || (whole && named < 2 * sizes->edges)) return false;
  bool mutual = false;
  for (std::size_t node = 1; node <= seen; ++node) {
    for (const std::uint64_t other : lists[node]) {
      if (other > seen) continue;  // its row is not in the examined part
      if (!names(lists[other], node)) return false;
      mutual = true;
    }
  }
  return mutual;
}

}  // namespace chirp::cli::input
