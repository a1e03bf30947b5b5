// When uploads that nothing names were last swept, and by what clock.
//
// What is swept is gone, so one look at a clock that is ahead must not decide it. A sweep that
// finds the clock more than a day from the last one only notes that; the next one goes by it, if it
// stands there still.
#pragma once

#include "core/model/passing.h"

namespace chirp {

struct LastSweep {
  std::int64_t noted = 0;  // Unix milliseconds; below 0 if nothing but the clock was noted

  // Whether to sweep at `now`; not if the last sweep was at `since` or later. Notes `now` unless it
  // returns for that reason.
  [[nodiscard]] constexpr bool begin(Time now, Time since) {
    const bool was_look = noted < 0;
    const Time last{was_look ? -noted : noted};
    if (last >= since && last <= now) return false;
    const bool is_back = now < last;
    const bool is_near = !is_back && now.ms - last.ms <= PassedTime::kLeapMs;
    const bool sweeps = is_near || (was_look && !is_back);
    noted = sweeps ? now.ms : -now.ms;
    return sweeps;
  }
};

}  // namespace chirp
