// How often users read, for the cost rule.
//
// Stores keep only the day of a user's last read, and by default the rate is estimated from that
// (core/events/cost_estimates.h). A process that knows more, because it counts or simulates reads,
// implements this.
#pragma once

#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp {

class ReadRates {
 public:
  virtual ~ReadRates() = default;
  // Expected reads per second at `now` of a user who has a timeline and last read on the day of
  // `last_read`; not negative. Safe from any thread.
  [[nodiscard]] virtual double reads_per_second(UserNumber reader, Time last_read,
                                                Time now) const = 0;
};

}  // namespace chirp
