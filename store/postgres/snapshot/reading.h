// Chooses the server for a snapshot's queries: home, or a standby that has replayed far enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ports/caller.h"
#include "store/postgres/cluster/cluster.h"
#include "store/postgres/cluster/copies.h"
#include "store/postgres/rows/questions.h"
#include "store/postgres/rows/state.h"

namespace chirp::postgres {

// Readers' marks, and whatever only home's tables contain, are read from home.
enum class Where : std::uint8_t { kAnywhere, kAtHome };

// Belongs to one snapshot. Not thread-safe.
class Reading {
 public:
  Reading(std::shared_ptr<Cluster> cluster, std::shared_ptr<Copies> copies)
      : cluster_(std::move(cluster)), connections_(&cluster_->home()), copies_(std::move(copies)) {}

  [[nodiscard]] const Placing& placing() const { return cluster_->placing(); }
  // With a single database, the number is queried together with the rows.
  [[nodiscard]] bool has_one() const { return copies_->empty() && cluster_->is_one(); }

  // Whether the groups that store rows may be queried together with home's number.
  [[nodiscard]] bool has_several() const { return copies_->empty() && !cluster_->is_one(); }

  // Reads the newest number from home; any server that has it may answer later queries. One round
  // trip.
  [[nodiscard]] StoredState newest();
  // Queries home's current state, in one transaction.
  [[nodiscard]] std::vector<Result> ask_newest(std::span<const GroupQuery> asked);
  // Queries rows of this state: from one standby while it answers, and then from home. With several
  // servers, from those that store the rows.
  [[nodiscard]] std::vector<Result> ask(const StoredState& state, std::span<const GroupQuery> asked,
                                        Where where);
  // Sends each query to the group that stores the rows, at once, before the number is known.
  [[nodiscard]] std::vector<Result> ask_early(std::span<const GroupQuery> asked);
  // From now on all queries go to home, for checks that look for damage.
  void stay_at_home();
  // Writes to home.
  void write(std::string_view sql, Params params);

  // The number of changes by this process, for see_in_glance() (published.h).
  [[nodiscard]] std::uint64_t changes() const { return connections_->changes(); }
  void see_in_glance(std::uint64_t changes, Versions versions);

 private:
  std::shared_ptr<Cluster> cluster_;
  Connections* connections_;
  std::shared_ptr<Copies> copies_;
  bool has_chosen_ = false;
  std::optional<std::size_t> copy_;
};

}  // namespace chirp::postgres
