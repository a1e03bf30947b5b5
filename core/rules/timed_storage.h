// A store that measures its write turns: how long others had to wait behind each.
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

// The name of a purpose in metrics: "counters".
[[nodiscard]] std::string_view name(Purpose purpose);

// Forwards calls to a store. After each turn that has changed something, it reports the purpose and
// how long the turn was held, including the synced commit but not the wait for it. Exceptions of
// `told` are dropped, because the change is already durable. Safe to call from any thread if store
// and `told` are.
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

// The rows of a turn: the first value and the bounds; 0 < least <= first <= most.
struct TurnRows {
  std::size_t first = 0;
  std::size_t least = 0;
  std::size_t most = 0;
};

// Upkeep in short turns: each has about as many rows as fit limits::kUpkeepTransactionMs. That
// number depends on the disk and on where the rows are, so it follows the last turns' times. One
// thread at a time.
class PacedTurns {
 public:
  // Both must outlive it.
  PacedTurns(Storage& storage, const Clock& clock, TurnRows rows)
      : pace_(rows.first, rows.least, rows.most, limits::kUpkeepTransactionMs),
        storage_(storage, clock, [this](Purpose, std::int64_t ns) { held_ns_ = ns; }) {}
  PacedTurns(const PacedTurns&) = delete;
  PacedTurns& operator=(const PacedTurns&) = delete;

  // Take turns at this store.
  [[nodiscard]] Storage& storage() { return storage_; }
  [[nodiscard]] std::size_t rows() const { return pace_.rows(); }
  // Notes the number of rows of the last turn.
  void took(std::size_t rows) { pace_.note(rows, held_ns_); }

  // Takes a turn with `step(rows)`. Returns its result: whether it was the last one, which may have
  // had fewer rows.
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
