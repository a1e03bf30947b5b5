// Helpers for tests of bulk loads of edges: users, edges, loads, and concurrent actions of others.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/bulk_edges.h"
#include "core/rules/writing.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {

using Edges = std::vector<LoadedEdge>;
using Between = std::function<void(int transaction)>;

inline constexpr std::size_t kRunEdges = 1'000;

// Small runs, pieces and transactions, and one time for all edges.
[[nodiscard]] BulkOptions small_steps();

// Adds the edges in runs of kRunEdges, and calls `between` after each transaction. Edges of the
// second kind have their own times.
LoadCounts bulk_load(Storage& storage, const Edges& edges, const BulkOptions& options,
                     const Between& between = {});
LoadCounts bulk_load(Storage& storage, std::span<const RestoredEdge> edges, BulkOptions options,
                     const Between& between = {});
// The same in transactions.
LoadCounts load_in_transactions(Storage& storage, std::span<const LoadedEdge> edges);

[[nodiscard]] Edges some_edges(std::mt19937_64& random, std::uint32_t users, std::size_t count);

// Follows with times, in both directions, with counters and marks.
[[nodiscard]] std::vector<std::string> edges_in(const Storage& storage, std::uint32_t users);

// A store with this many users, and low tier bounds.
struct BulkPeople {
  explicit BulkPeople(std::uint32_t count);
  [[nodiscard]] Storage& storage() const { return world.storage(); }
  void check_sound() const;

  std::uint32_t users;
  Subject world;
};

// Actions of others: on an existing follow, and on one that the load adds. A user who signs up gets
// the number kActors + 1.
inline constexpr std::uint32_t kActors = 30;
using BulkAct = std::function<void(BulkPeople&)>;
[[nodiscard]] std::vector<std::pair<const char*, BulkAct>> acts_on(LoadedEdge there,
                                                                   LoadedEdge staged);
// Loads `earlier` in transactions and `edges` in bulk, acts after the `moment`-th transaction of
// the build, and checks that the store is sound. Returns false if the build was over before.
template <class Edge>
[[nodiscard]] bool load_with_act(BulkPeople& people, const Edges& earlier,
                                 const std::vector<Edge>& edges, int moment, const BulkAct& act) {
  load_in_transactions(people.storage(), earlier);
  people.world.drain();
  bool acted = false;
  const std::uint64_t generation = people.world.state().generation;
  bulk_load(people.storage(), edges, small_steps(), [&](int transaction) {
    if (transaction != moment || people.world.state().generation != generation) return;
    acted = true;
    act(people);
  });
  while (!rules::settle_tiers(people.storage(), 100, kStart)) continue;
  people.check_sound();
  return acted;
}

}  // namespace chirp::test
