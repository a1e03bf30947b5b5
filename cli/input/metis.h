// METIS: a row with the numbers of nodes and edges, then one for each node that names its
// neighbours and not the node itself. It is no list of edges, and looks like one where every row is
// as long.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace chirp::cli::input {

using RowIds = std::span<const std::uint64_t>;

// Whether rows of numbers of different lengths look so; `whole`: they are all there are.
[[nodiscard]] bool looks_like_metis(std::span<const RowIds> rows, bool whole);

// Whether each of the rows keeps all that METIS asks for: nodes within the first row's number,
// nobody beside themselves, and whoever is named as a neighbour names the other in turn.
[[nodiscard]] bool keeps_to_metis(std::span<const RowIds> rows, bool whole);

}  // namespace chirp::cli::input
