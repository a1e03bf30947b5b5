// What tests of bulk loads of edges share: people, edges, loads of them, and what others may do
// meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/bulk_edges.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {

using Edges = std::vector<LoadedEdge>;
using Between = std::function<void(int transaction)>;

inline constexpr std::size_t kRunEdges = 1'000;

// Small runs, pieces and transactions, and one time for all edges.
[[nodiscard]] BulkOptions small_steps();

// Adds the edges in runs of kRunEdges; `between` is called after each transaction. Edges of the
// second kind have times of their own.
LoadCounts bulk_load(Storage& storage, const Edges& edges, const BulkOptions& options,
                     const Between& between = {});
LoadCounts bulk_load(Storage& storage, std::span<const RestoredEdge> edges, BulkOptions options,
                     const Between& between = {});
// The same in transactions.
LoadCounts load_in_transactions(Storage& storage, std::span<const LoadedEdge> edges);

[[nodiscard]] Edges some_edges(std::mt19937_64& random, std::uint32_t users, std::size_t count);

// Follows with their times, in both directions, counters and marks.
[[nodiscard]] std::vector<std::string> edges_in(const Storage& storage, std::uint32_t users);

// A store with so many people, and low bounds of tiers.
struct BulkPeople {
  explicit BulkPeople(std::uint32_t count);
  [[nodiscard]] Storage& storage() const { return world.storage(); }
  void check_sound() const;

  std::uint32_t users;
  Subject world;
};

// What others may do: to a follow that is there, and to one that the load brings. A user who signs
// up gets the number kActors + 1.
inline constexpr std::uint32_t kActors = 30;
using BulkAct = std::function<void(BulkPeople&)>;
[[nodiscard]] std::vector<std::pair<const char*, BulkAct>> acts_on(LoadedEdge there,
                                                                   LoadedEdge staged);

}  // namespace chirp::test
