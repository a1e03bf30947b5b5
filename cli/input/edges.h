// Follow graphs as text: SNAP edge lists, CSV and TSV, adjacency lists with a colon and without.
//
//   # A comment, or one with %.     follower,followee,weight       1: 2 3 4       1 2 3 4
//   1 2                             1,2,0.5                        2: 3           2<tab>3,4
//
// More columns of an edge list than two are ignored, and said. Read straight from the buffer, tens
// of millions a second.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/input/bad_lines.h"
#include "cli/input/edge_run.h"
#include "cli/input/ids.h"
#include "cli/input/layout.h"
#include "cli/input/lines.h"

namespace chirp::cli::input {

enum class EdgeFormat : std::uint8_t { kAuto, kSnap, kCsv, kAdjacency };

[[nodiscard]] std::optional<EdgeFormat> edge_format_named(std::string_view name);

// The user's options for a text of edges.
struct EdgeTable {
  EdgeFormat format = EdgeFormat::kAuto;
  Layout layout{};
};

// How a text starts, as much of it as tells what it is.
[[nodiscard]] std::string_view edges_head(TextBuffer& buffer);
// Whether a text that starts like this could be an edge list. Its first lines must contain two ids
// and must not be a table of many columns. Ids may be words only if --ids says so. If the user
// names the columns, the first row must name two users. Used to find the edge list among the
// members of an archive.
[[nodiscard]] bool looks_like_edges(std::string_view head, IdKind kind = IdKind::kNumbers,
                                    const Layout& layout = {});

// Reads all of what `buffer` has open; `name` is for messages. A first row whose first two cells
// name known columns is a header, and one that says how many nodes and edges there are is none.
// Throws Error{kBadInput} if it may be an edge list or an adjacency list. Returns the number of
// edges read, to oneself included.
std::uint64_t read_edges(TextBuffer& buffer, std::string_view name, const EdgeTable& table,
                         BadLines& bad, const EdgeSink& sink);

}  // namespace chirp::cli::input
