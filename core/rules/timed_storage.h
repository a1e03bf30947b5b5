// A store that measures its write turns: how long others had to wait behind each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/pace.h"
#include "core/ports/clock.h"
#include "core/ports/forwarding_storage.h"
#include "core/rules/writing.h"

namespace chirp::rules {

// The name of a purpose in metrics: "counters".
[[nodiscard]] std::string_view name(Purpose purpose);

// Forwards calls to a store. After each turn that has changed something, it reports the purpose and
// how long the turn was held, including the synced commit but not the wait for it. Exceptions of
// `told` are dropped, because the change is already durable. Safe to call from any thread if store
// and `told` are.
class TimedStorage final : public ForwardingStorage {
 public:
  using Told = std::function<void(Purpose, std::int64_t ns)>;
  // Both must outlive it.
  TimedStorage(Storage& inner, const Clock& clock, Told told)
      : ForwardingStorage(inner), clock_(clock), told_(std::move(told)) {}

  std::vector<Outcome> write(std::span<const Change> changes, Time now) override {
    return write_by_deciding(*this, changes, now);
  }
  bool decide(Time now, Purpose purpose, const Decision& decision) override;

 private:
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
