// Loads a follow graph: gathers edges into windows, makes the users they name, and stores each
// window in an order that touches few rows a transaction.
//
// A window is a batch: it is stored whole, users and edges, or not at all. While one is stored in
// the background the next is gathered. Memory is bounded by the window, however big the graph.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/load/background.h"
#include "core/load/pace.h"
#include "core/load/people.h"
#include "core/load/source.h"
#include "core/load/tally.h"

namespace chirp::load {

// Whether an edge means one follow or two.
enum class Ways : std::uint8_t { kOne, kBoth };

struct GraphOptions {
  Ways ways = Ways::kOne;
  std::size_t window = std::size_t{1} << 21;  // follows gathered before they are stored; >= 2
  std::optional<Time> since{};                // of new follows; the time of the batch otherwise
  PeopleBounds people{};
};

class GraphLoader {
 public:
  GraphLoader(Storage& storage, UserDirectory& directory, const Clock& clock, Pause pause,
              GraphOptions options = {});

  // Edges from a user to themselves are counted and left out.
  void add(std::span<const SourceEdge> edges);
  // What a source calls a user; see People::say.
  void say(const SourceUser& user) { people_.say(user); }
  [[nodiscard]] bool names_refused() const { return people_.names_refused(); }

  // Stores what is gathered and waits until all is stored.
  void finish();
  // Gives up what is gathered; whole windows before it are stored. After a bad line.
  void abandon();

  // From any thread.
  [[nodiscard]] Counts counts() const { return tally_.counts(); }

 private:
  void gather(const SourceEdge& edge);
  void close_window();
  void store(std::span<const LoadedEdge> edges);

  Storage& storage_;
  const Clock& clock_;
  Pause pause_;
  GraphOptions options_;
  Tally tally_;
  People people_;
  std::vector<std::uint64_t> gathered_;  // slots of follower and followee
  std::vector<std::uint64_t> scratch_;
  Background<std::vector<LoadedEdge>> storing_;  // last: it uses what stands above
};

}  // namespace chirp::load
