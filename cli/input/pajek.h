// Pajek networks (.net, and networks in .paj): sections of lines.
//
//   *Vertices 3
//   1 "Ada"
//   *Arcs
//   1 2 1.5
//   *Edgeslist
//   2 3 1
#pragma once

#include <cstdint>
#include <string_view>

#include "cli/input/edge_run.h"
#include "cli/input/lines.h"

namespace chirp::cli::input {

[[nodiscard]] bool looks_like_pajek(std::string_view head);

// Reads all of what `buffer` has open. The vertices' numbers are the ids, and their labels names.
// Arcs say that they are directed, edges that they are not. Sections that are not of a graph are
// skipped with a note. Returns the number of edges. Throws Error{kBadInput} for a two-mode network,
// which is bipartite, and for a matrix.
std::uint64_t read_pajek(TextBuffer& buffer, std::string_view name, BadLines& bad,
                         const EdgeSink& sink);

}  // namespace chirp::cli::input
