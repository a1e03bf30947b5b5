// Loads a follow graph: gathers edges into runs, makes the users of many runs at once, and stores
// many runs together in an order that touches few rows per transaction.
//
// If that would change most of the tables' pages, and the store supports it, all edges go into a
// bulk load instead (core/ports/bulk_edges.h), which stores them at the end. Then the users of the
// whole load are made at once, in the order of their source ids, if the table of ids has room for
// them: each creation of users may change any page of the stores' indexes.
//
// A run is a batch: it is stored whole, users and edges, or not at all. While a window of runs is
// stored in the background, the next one is gathered. Memory is bounded for a graph of any size:
// three windows, a run and the table of ids, with the stores' own less than 512 MiB in all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/load/background.h"
#include "core/load/bulk.h"
#include "core/load/edge_window.h"
#include "core/load/people.h"
#include "core/load/source.h"
#include "core/load/tally.h"
#include "core/load/turns.h"
#include "core/ports/bulk_edges.h"

namespace chirp::load {

// Whether an edge means one follow or two.
enum class Ways : std::uint8_t { kOne, kBoth };

// 20 bytes each fit into 256 MiB.
inline constexpr std::size_t kGraphIds = 12'500'000;

struct GraphOptions {
  Ways ways = Ways::kOne;
  std::size_t run = std::size_t{1} << 20;  // follows gathered before they are sorted; >= 2
  std::size_t window_bytes = std::size_t{24} << 20;  // of sorted runs, before they are stored
  std::optional<Time> since{};  // of new follows; if empty, the time when the load begins
  PeopleBounds people{.ids = kGraphIds};
  Bulk bulk = Bulk::kAuto;
  BulkOptions bulk_options{};  // `since` is the one above
};

class GraphLoader {
 public:
  GraphLoader(Storage& storage, UserDirectory& directory, const Clock& clock, Pause pause,
              GraphOptions options = {});

  // Skips and counts edges from a user to themselves, and edges between users if one has blocked
  // the other.
  void add(std::span<const SourceEdge> edges) { add(edges, options_.ways); }
  // The same for edges with their own number of follows.
  void add(std::span<const SourceEdge> edges, Ways ways);
  // Creates a user without edges.
  void meet(SourceId id);
  // The same, with the source's data about the user.
  void meet(const SourceUser& user);
  // Notes the source's data about a user; see People::say.
  void say(const SourceUser& user);
  [[nodiscard]] Words& words() { return people_.words(); }
  [[nodiscard]] bool names_refused() const { return people_.names_refused(); }

  // Stores what is gathered and waits until all is stored.
  void finish();
  // Drops the open run; whole runs before it are stored. Call it after a bad line.
  void abandon();

  // From any thread.
  [[nodiscard]] Counts counts() const { return tally_.counts(); }
  // The progress of a bulk load, if there is one. From any thread.
  [[nodiscard]] std::optional<BulkProgress> bulk_reach() const;

 private:
  void gather(const SourceEdge& edge, Ways ways);
  void close_run();
  // Makes the users of all whole runs, and passes these runs on.
  void resolve_runs();
  void take_run(std::span<const std::uint64_t> slots);
  void make_room();
  void close_window();
  void store(const EdgeWindow& window);
  [[nodiscard]] bool bulk_pays() const;
  void begin_bulk();
  void store_bulk();
  void store_slice(std::span<const LoadedEdge> edges);

  Storage& storage_;
  const Clock& clock_;
  GraphOptions options_;
  Time since_;
  Tally tally_;
  Turns turns_;
  People people_;
  std::vector<std::uint64_t> gathered_;  // slots of follower and followee
  std::vector<std::uint64_t> numbered_;  // the same of one run by user numbers
  std::vector<std::uint64_t> scratch_;
  std::size_t described_ = 0;  // users with a name, since users were made last
  EdgeWindow unresolved_;      // whole runs of slots; in a bulk load they are stored there
  bool has_runs_ = false;      // some are unresolved
  std::size_t whole_ = 0;      // slots below this belong to whole runs
  EdgeWindow window_;
  std::unique_ptr<BulkEdges> bulk_;
  mutable std::mutex bulk_mutex_;   // guards the pointer against reach()
  Background<EdgeWindow> storing_;  // last: it uses the members above
};

}  // namespace chirp::load
