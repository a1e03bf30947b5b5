// A long walk over a store: it gives up its state now and then and goes on from its key in a newer
// one.
//
// As long as a state is held, a store can't use the pages again that later commits have set free,
// and its file grows. So whoever walks calls rest() wherever nothing that was read before matters
// any more: then the walk goes on in the newest state if it has held the old one for long. One
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/snapshot.h"

namespace chirp {

struct WalkOptions {
  // A state is given up after this time, or once so much can't be used again because of it. With 0
  // at each rest.
  std::int64_t state_ns = 2'000'000'000;
  std::uint64_t held_bytes = std::uint64_t{256} << 20;
  // Told now and then how much is done of how much, in whatever the parts were planned in.
  std::function<void(std::uint64_t done, std::uint64_t total)> reached = {};
  // Called before each change of the state.
  std::function<void()> between = {};
};

class Walk {
 public:
  // All outlive it.
  Walk(Snapshot& snapshot, const Clock& clock, WalkOptions options);
  // Keeps to the one state.
  explicit Walk(Snapshot& snapshot) : snapshot_(snapshot) {}

  [[nodiscard]] Snapshot& snapshot() const { return snapshot_; }

  // How many rows each of the parts has that follow, about; begin_part() begins the next of them.
  void plan(std::vector<std::uint64_t> parts);
  void begin_part();

  // Counts rows. True if the state is another one now: no cursor goes on, and what was read
  // before may be so no more.
  bool rest(std::uint64_t rows = 1) {
    rows_ += rows;
    if (clock_ == nullptr) return false;
    if (++calls_ % kCallsALook != 0 && options_.state_ns > 0) return false;
    return look();
  }
  // Rises with each change of the state.
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
  std::int64_t taken_ns_ = 0;   // since when the state is held
  std::int64_t looked_ns_ = 0;  // when it was last asked what is held back
  std::vector<std::uint64_t> parts_;
  std::size_t part_ = 0;
  std::uint64_t before_ = 0;  // rows of the parts before this one, as planned
  std::uint64_t total_ = 0;
  std::uint64_t rows_ = 0;  // of this part
};

}  // namespace chirp
