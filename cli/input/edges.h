// Follow graphs as text: SNAP edge lists, CSV and TSV, adjacency lists with and without colons.
//
//   # A comment, or one with %.     follower,followee,weight       1: 2 3 4       1 2 3 4
//   1 2                             1,2,0.5                        2: 3           2<tab>3,4
//
// Ignores further columns of an edge list, with a note. Parses directly in the buffer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/input/edge_run.h"
#include "cli/input/ids.h"
#include "cli/input/layout.h"
#include "cli/input/lines.h"
#include "core/model/nearest.h"

namespace chirp::cli::input {

enum class EdgeFormat : std::uint8_t { kAuto, kSnap, kCsv, kAdjacency };

inline constexpr std::array<Choice<EdgeFormat>, 4> kEdgeFormats{
    {{"auto", EdgeFormat::kAuto},
     {"snap", EdgeFormat::kSnap},
     {"csv", EdgeFormat::kCsv},
     {"adjacency", EdgeFormat::kAdjacency}}};

// The user's options for a text of edges.
struct EdgeTable {
  EdgeFormat format = EdgeFormat::kAuto;
  TableLayout layout{};
};

// Returns the start of a text, long enough to detect its format.
[[nodiscard]] std::string_view edges_head(TextBuffer& buffer);
// Whether a text that starts like this could be an edge list. Its first lines must contain two ids
// and must not be a table of many columns. Ids may be words only if --ids says so. If the user
// names the columns, the first row must name two users. Used to find the edge list among the
// members of an archive.
[[nodiscard]] bool looks_like_edges(std::string_view head, IdKind kind = IdKind::kNumbers,
                                    const TableLayout& layout = {});

// Reads everything in `buffer`; `name` is for messages. A first row is a header if its first two
// cells are known column names, and is skipped if it has the numbers of nodes and edges. Throws
// Error{kBadInput} for a text that may be an edge list or an adjacency list. Returns the number of
// edges, including self-loops.
std::uint64_t read_edges(TextBuffer& buffer, std::string_view name, const EdgeTable& table,
                         BadLines& bad, const EdgeSink& sink);

}  // namespace chirp::cli::input
