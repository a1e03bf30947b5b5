// A time limit for waiting, by a clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "core/ports/clock.h"

namespace chirp::store {

class Deadline {
 public:
  // Ends `patience` from now. The clock must outlive it.
  Deadline(const Clock& clock, std::chrono::nanoseconds patience)
      : clock_(&clock), end_ns_(clock.steady_ns() + patience.count()) {}

  // Returns zero when the deadline has passed.
  [[nodiscard]] std::chrono::nanoseconds left() const {
    return std::chrono::nanoseconds(std::max(end_ns_ - clock_->steady_ns(), std::int64_t{0}));
  }
  [[nodiscard]] bool over() const { return left().count() == 0; }

 private:
  const Clock* clock_;
  std::int64_t end_ns_;
};

// The machine's clock, which CHIRP_TEST_CLOCK does not stop: for waits.
[[nodiscard]] const Clock& machine_clock();
// The clock that measures transactions, to choose their sizes. CHIRP_TEST_CLOCK stops it: then
// every machine chooses the same sizes.
[[nodiscard]] const Clock& pace_clock();

}  // namespace chirp::store
