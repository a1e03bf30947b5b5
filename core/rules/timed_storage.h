// A store whose turns are timed: how long others waited behind each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/pace.h"
#include "core/ports/clock.h"
#include "core/rules/writing.h"

namespace chirp::rules {

// What a purpose is called where turns are counted: "counters".
[[nodiscard]] std::string_view name(Purpose purpose);

// Hands calls on to a store, and tells of each turn that has changed something, when it is over,
// what it was for and how long it was held: its commit with the sync included, the wait for it not.
// What `told` throws is dropped, since by then the change is durable. Safe to call from any thread
// if store and `told` are.
class TimedStorage final : public DecidingStorage {
 public:
  using Told = std::function<void(Purpose, std::int64_t ns)>;
  // Both must outlive it.
  TimedStorage(Storage& inner, const Clock& clock, Told told)
      : inner_(inner), clock_(clock), told_(std::move(told)) {}

  [[nodiscard]] std::unique_ptr<Snapshot> snapshot() const override { return inner_.snapshot(); }
  [[nodiscard]] std::uint64_t version() const override { return inner_.version(); }
  [[nodiscard]] std::optional<Error> refusal(SpaceUse use) const override {
    return inner_.refusal(use);
  }
  bool decide(Time now, Purpose purpose, const Decision& decision) override;
  [[nodiscard]] std::unique_ptr<BulkEdges> bulk_edges(const BulkOptions& options) override {
    return inner_.bulk_edges(options);
  }
  [[nodiscard]] bool bulk_pays(std::span<const LoadedEdge> some, std::uint64_t all) const override {
    return inner_.bulk_pays(some, all);
  }
  void settle() override { inner_.settle(); }
  [[nodiscard]] std::shared_ptr<void> early_entries() override { return inner_.early_entries(); }
  [[nodiscard]] bool early_pays() const override { return inner_.early_pays(); }
  [[nodiscard]] std::unique_ptr<Scratch> scratch(std::string_view doing,
                                                 std::size_t memory) override {
    return inner_.scratch(doing, memory);
  }
  std::uint64_t repair_indexes(Time now) override { return inner_.repair_indexes(now); }

 private:
  Storage& inner_;
  const Clock& clock_;
  Told told_;
};

// How many rows a turn takes: to begin with, and its bounds; 0 < least <= first <= most.
struct TurnRows {
  std::size_t first = 0;
  std::size_t least = 0;
  std::size_t most = 0;
};

// Upkeep in short turns: as many rows in each as take about limits::kUpkeepTransactionMs. What that
// is in rows depends on where they lie and on the disk, so it follows what the last ones took. One
// thread at a time.
class Paced {
 public:
  // Both must outlive it.
  Paced(Storage& storage, const Clock& clock, TurnRows rows)
      : pace_(rows.first, rows.least, rows.most, limits::kUpkeepTransactionMs),
        storage_(storage, clock, [this](Purpose, std::int64_t ns) { held_ns_ = ns; }) {}
  Paced(const Paced&) = delete;
  Paced& operator=(const Paced&) = delete;

  // What the turns are to be taken at.
  [[nodiscard]] Storage& storage() { return storage_; }
  [[nodiscard]] std::size_t rows() const { return pace_.rows(); }
  // The turn that was taken last had so many rows.
  void took(std::size_t rows) { pace_.note(rows, held_ns_); }

  // Takes a turn, `step(rows)`, and returns what that says: whether it was the last one, which may
  // have had fewer rows.
  template <class Step>
  bool take(Step step) {
    const std::size_t at_most = rows();
    const bool last = step(static_cast<std::uint32_t>(at_most));
    if (!last) took(at_most);
    return last;
  }

 private:
  Pace pace_;
  std::int64_t held_ns_ = 0;
  TimedStorage storage_;
};

}  // namespace chirp::rules
