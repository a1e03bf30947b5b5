// Passes the edges of a text to the loader, and handles directed and undirected edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/input/ids.h"
#include "cli/input/lines.h"
#include "cli/input/understood.h"
#include "core/load/source.h"

namespace chirp::cli::input {

// The number of edges in a full batch.
inline constexpr std::size_t kEdgesAtOnce = 4096;

// The direction that an edge declares.
enum class EdgeDirection : std::uint8_t { kUnsaid, kDirected, kUndirected };
// Reads `directed`, `undirected`, `dir` or `undir`, in any case. Anything else says nothing.
[[nodiscard]] EdgeDirection direction_named(std::string_view word);
// Reads `true`, `false`, `1` or `0`: the value of a flag that an edge is directed.
[[nodiscard]] EdgeDirection direction_of_flag(std::string_view flag);

// The receiver of edges, and the options for reading them.
struct EdgeSink {
  // Receives batches of edges, in order.
  std::function<void(std::span<const load::SourceEdge>)> edges;
  // With `both_ways`, receives the edges that are declared directed. Each stays one follow.
  std::function<void(std::span<const load::SourceEdge>)> directed{};
  // Receives a user with an empty adjacency list.
  std::function<void(SourceId)> person{};
  // Receives a node of a graph file. A label becomes the display name.
  std::function<void(const load::SourceUser&)> node{};
  // Reads each edge both ways. A declaration that the graph is undirected is then not reported.
  bool both_ways = false;
  IdCells ids{};  // reads the users' ids
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
  // The same for an edge that may declare its direction. Notes the first edge whose declaration has
  // an effect.
  void put(const load::SourceEdge& edge, EdgeDirection own, const InputPlace& place,
           const BadLines& bad);
  // Notes that the text declares itself undirected, unless --undirected is given.
  void note_undirected(const InputPlace& place, const BadLines& bad);

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
