// Stores the follows of an export, with the times they have: a few in transactions, many by a bulk
// load (core/ports/bulk_edges.h), which shows all of them at the end. Both store the same rows. To
// be used from one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/load/bulk.h"
#include "core/load/turns.h"
#include "core/ports/bulk_edges.h"
#include "core/ports/clock.h"
#include "core/ports/loads.h"
#include "core/ports/storage.h"

namespace chirp::load {

class EdgeRestorer {
 public:
  // Edges that come at once from which on a bulk load is quicker.
  static constexpr std::size_t kBulkFrom = 32'768;

  // `turns` are those of the whole load.
  EdgeRestorer(Storage& storage, const Clock& clock, Turns& turns, Bulk bulk, BulkOptions options);

  // Returns the index of an edge that exists or is repeated in `edges`; edges before it may be
  // stored. A bulk load compares edges of different calls only in finish().
  [[nodiscard]] std::optional<std::size_t> add(std::span<const RestoredEdge> edges);
  // Stores what a bulk load has gathered. Its duplicates are edges that came twice or were there.
  LoadCounts finish();

  // How far a bulk load is, if there is one. From any thread.
  [[nodiscard]] std::optional<BulkProgress> reach() const;

 private:
  [[nodiscard]] std::optional<std::size_t> store(std::span<const RestoredEdge> edges);
  [[nodiscard]] std::optional<std::size_t> gather(std::span<const RestoredEdge> edges);
  void begin_bulk();
  void end_bulk();
  void switch_reposts_off(std::span<const std::uint64_t> run);

  Storage& storage_;
  const Clock& clock_;
  Turns& turns_;
  Bulk kind_;
  BulkOptions options_;
  std::vector<TimedEdge> run_;
  std::vector<TimedEdge> scratch_;
  std::vector<std::uint64_t> off_;  // the run's follows with reposts switched off
  std::unique_ptr<BulkEdges> bulk_;
  mutable std::mutex bulk_mutex_;  // guards the pointer against reach()
};

}  // namespace chirp::load
