// Follow graphs as text: SNAP edge lists, CSV and TSV, adjacency lists.
//
//   # A comment, or one with %.     follower,followee,weight       1: 2 3 4
//   1 2                             1,2,0.5                        2: 3
//
// More columns than two are ignored. Read straight from the buffer, tens of millions a second.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "cli/input/bad_lines.h"
#include "cli/input/lines.h"
#include "core/load/source.h"

namespace chirp::cli::input {

enum class EdgeFormat : std::uint8_t { kAuto, kSnap, kCsv, kAdjacency };

[[nodiscard]] std::optional<EdgeFormat> edge_format_named(std::string_view name);

// Takes edges in runs, in their order.
using EdgeSink = std::function<void(std::span<const load::SourceEdge>)>;

// Whether a text that starts so could be an edge list: within its first lines stand two numbers,
// and not a table of many columns. For telling the members of an archive apart.
[[nodiscard]] bool looks_like_edges(std::string_view head);

// Reads all of what `buffer` has open; `name` is for messages. In CSV a first row whose first two
// cells are not both numbers is a header. Returns the number of edges read, to oneself included.
std::uint64_t read_edges(TextBuffer& buffer, std::string_view name, EdgeFormat format,
                         BadLines& bad, const EdgeSink& sink);

}  // namespace chirp::cli::input
