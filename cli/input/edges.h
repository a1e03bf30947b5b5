// Follow graphs as text: SNAP edge lists, CSV and TSV, adjacency lists with a colon and without.
//
//   # A comment, or one with %.     follower,followee,weight       1: 2 3 4       1 2 3 4
//   1 2                             1,2,0.5                        2: 3           2<tab>3,4
//
// More columns of an edge list than two are ignored, and said. Read straight from the buffer, tens
// of millions a second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/input/bad_lines.h"
#include "cli/input/ids.h"
#include "cli/input/layout.h"
#include "cli/input/lines.h"
#include "cli/input/understood.h"
#include "core/load/source.h"

namespace chirp::cli::input {

// As many edges are handed over.
inline constexpr std::size_t kEdgesAtOnce = 4096;

enum class EdgeFormat : std::uint8_t { kAuto, kSnap, kCsv, kAdjacency };

[[nodiscard]] std::optional<EdgeFormat> edge_format_named(std::string_view name);

// Where edges go, and what is said of them.
struct EdgeSink {
  // Edges in runs, in their order.
  std::function<void(std::span<const load::SourceEdge>)> edges;
  // Somebody who stands in an adjacency list with nobody behind them.
  std::function<void(SourceId)> person{};
  // Each edge is taken both ways, so a text that says that it is undirected need not be told.
  bool both_ways = false;
  IdCells ids{};  // what reads them
  TellUnderstood understood{};
};

// Passes the edges of a text to the sink in batches.
class EdgeRun {
 public:
  explicit EdgeRun(const EdgeSink& sink) : sink_(sink) { run_.reserve(kEdgesAtOnce); }

  void put(const load::SourceEdge& edge) {
    run_.push_back(edge);
    if (run_.size() == kEdgesAtOnce) flush();
  }
  void flush() {
    count_ += run_.size();
    if (!run_.empty()) sink_.edges(run_);
    run_.clear();
  }
  // Flushes, and returns the number of edges.
  std::uint64_t end() {
    flush();
    return count_;
  }

 private:
  const EdgeSink& sink_;
  std::vector<load::SourceEdge> run_;
  std::uint64_t count_ = 0;
};

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
