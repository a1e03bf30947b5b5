// What the cost rule knows of how often people read.
//
// Stores keep the day of a reader's last read and no more, so a process that knows nothing else
// estimates by that (core/events/cost_estimates.h); one that knows how often people read, because
// it counts them or makes them up, says so.
#pragma once

#include "core/model/ids.h"
#include "core/model/time.h"

namespace chirp {

class ReadRates {
 public:
  virtual ~ReadRates() = default;
  // Reads a second that are expected at `now` of a reader who has a timeline and last read on the
  // day of `last_read`; not negative. From any thread.
  [[nodiscard]] virtual double reads_per_second(UserNumber reader, Time last_read,
                                                Time now) const = 0;
};

}  // namespace chirp
