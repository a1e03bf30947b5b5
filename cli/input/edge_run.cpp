#include "cli/input/edge_run.h"

#include <string>
#include <utility>

#include "cli/input/cells.h"

namespace chirp::cli::input {

EdgeDirection direction_named(std::string_view word) {
  const std::string plain = plain_name(word);
  if (plain == "directed" || plain == "dir") return EdgeDirection::kDirected;
  return plain == "undirected" || plain == "undir" ? EdgeDirection::kUndirected
                                                   : EdgeDirection::kUnsaid;
}

EdgeDirection direction_of_flag(std::string_view flag) {
  const std::string plain = plain_name(flag);
  if (plain == "true" || plain == "1") return EdgeDirection::kDirected;
  return plain == "false" || plain == "0" ? EdgeDirection::kUndirected : EdgeDirection::kUnsaid;
}

void EdgeRun::put(const load::SourceEdge& edge, EdgeDirection own, const InputPlace& place,
                  const BadLines& bad) {
  const bool decides =
      sink_.both_ways ? own == EdgeDirection::kDirected : own == EdgeDirection::kUndirected;
  if (decides && !std::exchange(noted_, true)) {
    bad.note(place, sink_.both_ways
                        ? "the edge says that it is directed: such edges stay one follow each"
                        : "the edge says that it is undirected: with --undirected each such edge "
                          "is two follows");
  }
  if (!decides || !sink_.both_ways) return put(edge);
  directed_.push_back(edge);
  if (directed_.size() == kEdgesAtOnce) flush();
}

void EdgeRun::note_undirected(const InputPlace& place, const BadLines& bad) {
  if (sink_.both_ways || std::exchange(noted_, true)) return;
  bad.note(place,
           "the file says that it is undirected: with --undirected each edge is two follows");
}

void EdgeRun::flush() {
  count_ += run_.size() + directed_.size();
  if (!run_.empty()) sink_.edges(run_);
  if (!directed_.empty()) sink_.directed(directed_);
  run_.clear();
  directed_.clear();
}

}  // namespace chirp::cli::input
