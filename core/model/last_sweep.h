// When unreferenced uploads were last swept, by a clock that was checked.
//
// A sweep deletes for good, so a single wrong reading of the clock must not start one. If the clock
// is more than a day from the last sweep, begin() only notes the time. The next call sweeps if the
// clock has not gone back.
#pragma once

#include "core/model/passing.h"

namespace chirp {

struct LastSweep {
  std::int64_t noted = 0;  // Unix milliseconds; negative if only the clock was noted

  // Returns whether to sweep at `now`. Returns false and notes nothing if the last sweep was at or
  // after `since`; in every other case it notes `now`.
  [[nodiscard]] constexpr bool begin(Time now, Time since) {
    const bool was_look = noted < 0;
    const Time last{was_look ? -noted : noted};
    if (last >= since && last <= now) return false;
    const bool is_back = now < last;
    const bool is_near = !is_back && now.ms - last.ms <= TrustedTime::kLeapMs;
    const bool sweeps = is_near || (was_look && !is_back);
    noted = sweeps ? now.ms : -now.ms;
    return sweeps;
  }
};

}  // namespace chirp
