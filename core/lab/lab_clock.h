// The clock of a replayed day: it shows the time of the current event, while durations are measured
// by the machine's clock.
#pragma once

#include <cstdint>

#include "core/ports/clock.h"

namespace chirp::lab {

class LabClock final : public Clock {
 public:
  // `machine` must outlive it.
  explicit LabClock(const Clock& machine) : machine_(machine) {}

  void set(Time now) { now_ = now; }

  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] std::int64_t steady_ns() const override { return machine_.steady_ns(); }

 private:
  const Clock& machine_;
  Time now_;
};

}  // namespace chirp::lab
