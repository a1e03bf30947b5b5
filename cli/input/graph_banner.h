// Reads what the leading comments of an edge list declare about the graph.
//
//   # Undirected graph: …          SNAP
//   % sym unweighted               KONECT: sym, asym, bip
//   %%MatrixMarket matrix coordinate pattern symmetric
#pragma once

#include <string_view>

namespace chirp::cli::input {

struct GraphBanner {
  bool undirected = false;
  bool size_line = false;      // the first row says how many nodes and edges there are
  bool square = false;         // … and the first two numbers of it are equal, or it is bipartite
  std::string_view problem{};  // why it can't be read, if so
};

// Adds what a comment declares. `first` is true for the first line of the text.
void read_banner(std::string_view comment, bool first, GraphBanner& banner);

}  // namespace chirp::cli::input
