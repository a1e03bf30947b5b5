// Reads graph files in tests, whole and in pieces.
#pragma once

#include <string>
#include <vector>

#include "cli/input/graph_files.h"

namespace chirp::test {

struct GraphRead {
  cli::input::GraphFormat format = cli::input::GraphFormat::kNone;
  // `a b` for an edge, `a b!` for one that stays directed, `node a (label)`; nodes first.
  std::vector<std::string> rows{};
  std::vector<std::string> bad{};
  std::vector<std::string> notes{};
  std::string refusal{};
  std::string understood{};
};

inline constexpr const char* kUndirectedFile =
    "the file says that it is undirected: with --undirected each edge is two follows";

// Reads the text in pieces of `step` bytes, under the name "f".
[[nodiscard]] GraphRead read_graph_in(const std::string& text, std::size_t step,
                                      bool both_ways = false);
// Reads it in pieces of several sizes, and checks that the results agree.
[[nodiscard]] GraphRead read_graph_text(const std::string& text, bool both_ways = false);

}  // namespace chirp::test
