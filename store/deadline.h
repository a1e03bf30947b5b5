// Until when others are waited for, by a clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "core/ports/clock.h"

namespace chirp::store {

class Deadline {
 public:
  // So long from now on. The clock must outlive it.
  Deadline(const Clock& clock, std::chrono::nanoseconds patience)
      : clock_(&clock), end_ns_(clock.steady_ns() + patience.count()) {}

  // Nothing once it is over.
  [[nodiscard]] std::chrono::nanoseconds left() const {
    return std::chrono::nanoseconds(std::max(end_ns_ - clock_->steady_ns(), std::int64_t{0}));
  }
  [[nodiscard]] bool over() const { return left().count() == 0; }

 private:
  const Clock* clock_;
  std::int64_t end_ns_;
};

// The clock of the machine, which goes on whatever CHIRP_TEST_CLOCK says: for waits.
[[nodiscard]] const Clock& machine_clock();
// The clock that measures how long transactions take, to choose their sizes. CHIRP_TEST_CLOCK stops
// it: then every machine chooses the same sizes.
[[nodiscard]] const Clock& pace_clock();

}  // namespace chirp::store
