// Stores the follows of an export, with their times: a few in transactions, many in a bulk load
// (core/ports/bulk_edges.h), which shows all of them at the end. Both store the same rows. Use it
// from one thread.
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
  // From this number of edges on, a bulk load is faster.
  static constexpr std::size_t kBulkFrom = 32'768;

  // `turns` are those of the whole load.
  EdgeRestorer(Storage& storage, const Clock& clock, Turns& turns, Bulk bulk, BulkOptions options);

  // Returns the index of an edge that exists or is repeated in `edges`; edges before it may be
  // stored. A bulk load compares edges of different calls only in finish().
  [[nodiscard]] std::optional<std::size_t> add(std::span<const RestoredEdge> edges);
  // Stores what a bulk load has gathered. Duplicates are repeated or existing edges.
  LoadCounts finish();

  // The progress of a bulk load, if there is one. From any thread.
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
