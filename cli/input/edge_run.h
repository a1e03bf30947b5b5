// Where the edges of a text go, and what an edge or its text says about directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/input/bad_lines.h"
#include "cli/input/ids.h"
#include "cli/input/understood.h"
#include "core/load/source.h"

namespace chirp::cli::input {

// As many edges are handed over.
inline constexpr std::size_t kEdgesAtOnce = 4096;

// What an edge says about its own direction.
enum class EdgeDirection : std::uint8_t { kUnsaid, kDirected, kUndirected };
// Reads `directed`, `undirected`, `dir` or `undir`, in any case. Anything else says nothing.
[[nodiscard]] EdgeDirection direction_named(std::string_view word);
// The same of `true`, `false`, `1` or `0`, which say whether an edge is directed.
[[nodiscard]] EdgeDirection direction_of_flag(std::string_view flag);

// Where edges go, and what is said of them.
struct EdgeSink {
  // Edges in runs, in their order.
  std::function<void(std::span<const load::SourceEdge>)> edges;
  // With `both_ways`: edges that say that they are directed. They stay one follow each.
  std::function<void(std::span<const load::SourceEdge>)> directed{};
  // Somebody who stands in an adjacency list with nobody behind them.
  std::function<void(SourceId)> person{};
  // A node of a graph file. Its label, if it has one, is the display name.
  std::function<void(const load::SourceUser&)> node{};
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
  // The same for an edge that may say its direction. The first edge that decides something by it is
  // noted.
  void put(const load::SourceEdge& edge, EdgeDirection own, const Place& place,
           const BadLines& bad);
  // Notes that the text as a whole says that it is undirected, unless --undirected is given.
  void note_undirected(const Place& place, const BadLines& bad);

  void flush();
  // Flushes, and returns the number of edges.
  std::uint64_t end() {
    flush();
    return count_;
  }

 private:
  const EdgeSink& sink_;
  std::vector<load::SourceEdge> run_;
  std::vector<load::SourceEdge> directed_;
  std::uint64_t count_ = 0;
  bool noted_ = false;
};

}  // namespace chirp::cli::input
