// METIS: a row with the numbers of nodes and edges, then a row for each node with its neighbours,
// but without the node itself. If all rows have equal length, it looks like an edge list.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace chirp::cli::input {

using RowIds = std::span<const std::uint64_t>;

// Whether rows of numbers of different lengths look like METIS. `whole`: they are the whole text.
[[nodiscard]] bool looks_like_metis(std::span<const RowIds> rows, bool whole);

// Whether the rows satisfy all rules of METIS: node numbers within the first row's, no self-loops,
// and symmetric neighbours.
[[nodiscard]] bool keeps_to_metis(std::span<const RowIds> rows, bool whole);

}  // namespace chirp::cli::input
