// Who answers the questions of a snapshot: home, or a copy that has come far enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ports/glance.h"
#include "store/postgres/cluster.h"
#include "store/postgres/copies.h"
#include "store/postgres/questions.h"
#include "store/postgres/state.h"

namespace chirp::postgres {

// What readers' marks are is asked of home alone, and so is what only home's tables can tell.
enum class Where : std::uint8_t { kAnywhere, kAtHome };

// Of one snapshot; one thread at a time.
class Reading {
 public:
  Reading(std::shared_ptr<Cluster> cluster, std::shared_ptr<Copies> copies)
      : cluster_(std::move(cluster)), connections_(&cluster_->home()), copies_(std::move(copies)) {}

  [[nodiscard]] const Placing& placing() const { return cluster_->placing(); }
  // Where one database answers all, the number is asked together with what is read by it.
  [[nodiscard]] bool has_one() const { return copies_->empty() && cluster_->is_one(); }

  // Whether whoever has some rows may be asked for them together with home's number.
  [[nodiscard]] bool has_several() const { return copies_->empty() && !cluster_->is_one(); }

  // The newest number, of home: what is asked for it is asked of anybody who has it. One round
  // trip.
  [[nodiscard]] StoredState newest();
  // Asks home for what it has at this moment, all of it of one state.
  [[nodiscard]] std::vector<Result> ask_newest(std::span<const Asked> asked);
  // Asks for rows of this state: one copy as long as it answers, and from then on home; over
  // several servers those who have them.
  [[nodiscard]] std::vector<Result> ask(const StoredState& state, std::span<const Asked> asked,
                                        Where where);
  // Asks before the number is known, each whoever has it, at once.
  [[nodiscard]] std::vector<Result> ask_early(std::span<const Asked> asked);
  // From now on all is asked of home, for who looks for damage.
  void stay_at_home();
  // Writes to home.
  void write(std::string_view sql, Params params);

  // What this process has changed so far, and what the Glance of this thread has seen then
  // (published.h).
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
