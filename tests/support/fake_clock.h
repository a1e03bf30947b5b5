// A clock that moves when told to.
#pragma once

#include "core/model/ids.h"
#include "core/ports/clock.h"

namespace chirp::test {

class FakeClock final : public Clock {
 public:
  explicit FakeClock(Time start = Time{snowflake::kEpochMs + 100 * kDayMs}) : now_(start) {}

  [[nodiscard]] Time now() const override { return now_; }
  // A microsecond a look.
  [[nodiscard]] std::int64_t steady_ns() const override { return steady_ += 1000; }

  // Negative: the wall clock steps back.
  void advance(std::int64_t ms) { now_.ms += ms; }

 private:
  Time now_;
  mutable std::int64_t steady_ = 0;
};

}  // namespace chirp::test
