#include "cli/input/graph_banner.h"

#include <string>

#include "cli/input/cells.h"
#include "cli/input/graph_edges.h"

namespace chirp::cli::input {
namespace {

bool has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

void read_matrix_market(std::string_view comment, GraphBanner& banner) {
  banner.size_line = true;
  banner.square = true;
  // Each of these kinds is written once for both directions.
  banner.undirected = has(comment, "symmetric") || has(comment, "hermitian");
  if (!has(comment, "coordinate")) {
    banner.problem = "a matrix that is written out whole is no list of edges";
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
