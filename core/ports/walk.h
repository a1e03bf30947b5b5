// A long walk over a store that moves to a newer state now and then and continues after its last
// key.
//
// While a state is held, a store can't reuse the pages that later commits have freed, and its file
// grows. So the walk's owner calls rest() wherever it no longer depends on earlier reads. If the
// state has been held for long, the walk then moves to the newest state. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/snapshot.h"

namespace chirp {

struct WalkOptions {
  // A state is released after this time, or once it holds back this many bytes. 0: at each rest.
  std::int64_t state_ns = 2'000'000'000;
  std::uint64_t held_bytes = std::uint64_t{256} << 20;
  // Reports progress now and then, in the unit of plan().
  std::function<void(std::uint64_t done, std::uint64_t total)> reached = {};
  // Called before each change of the state.
  std::function<void()> between = {};
};

class Walk {
 public:
  // All arguments must outlive the walk.
  Walk(Snapshot& snapshot, const Clock& clock, WalkOptions options);
  // Uses one state throughout.
  explicit Walk(Snapshot& snapshot) : snapshot_(snapshot) {}

  [[nodiscard]] Snapshot& snapshot() const { return snapshot_; }

  // Sets the approximate rows of each of the following parts; begin_part() begins the next of them.
  void plan(std::vector<std::uint64_t> parts);
  void begin_part();

  // Counts rows. Returns true if the state has changed: cursors are invalid, and earlier reads may
  // be stale.
  bool rest(std::uint64_t rows = 1) {
    rows_ += rows;
    if (clock_ == nullptr) return false;
    if (++calls_ % kCallsALook != 0 && options_.state_ns > 0) return false;
    return look();
  }
  // Increases with each change of state.
  [[nodiscard]] std::uint64_t states() const { return states_; }

 private:
  static constexpr std::uint32_t kCallsALook = 16;

  bool look();
  void tell(std::int64_t now);

  Snapshot& snapshot_;
  const Clock* clock_ = nullptr;
  WalkOptions options_;
  std::uint32_t calls_ = 0;
  std::uint64_t states_ = 0;
  std::int64_t taken_ns_ = 0;   // when the state was taken
  std::int64_t looked_ns_ = 0;  // when held_back() was last checked
  std::vector<std::uint64_t> parts_;
  std::size_t part_ = 0;
  std::uint64_t before_ = 0;  // rows of the earlier parts, as planned
  std::uint64_t total_ = 0;
  std::uint64_t rows_ = 0;  // rows of this part
};

}  // namespace chirp
