// Estimates for the cost policy, from bounded samples: the cost of pushing an author and of
// pulling.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/model/policy.h"
#include "core/ports/read_rates.h"
#include "core/ports/snapshot.h"

namespace chirp::events {

// Read rates from the day of the last read alone: several reads on a day with any, and fewer the
// longer ago that day is.
[[nodiscard]] const ReadRates& rates_by_last_read();

// Remembers when each author's costs were last estimated.
class EstimateSchedule {
 public:
  // Whether to estimate the author's costs now: at most every ten minutes. Notes the time if so.
  [[nodiscard]] bool take_due(UserNumber author, Time now);

 private:
  std::unordered_map<UserNumber, Time> weighed_;
};

// The new mark of an author with `followers` followers, if `current` should change.
[[nodiscard]] std::optional<feed::AuthorMark> weighed(const Snapshot& snapshot,
                                                      const StoreState& state,
                                                      const feed::AuthorMark& current,
                                                      std::int64_t followers, Time now,
                                                      const ReadRates& rates);

// Estimates the costs of an author with `followers` followers.
[[nodiscard]] feed::AuthorCost estimate(const Snapshot& snapshot, const StoreState& state,
                                        UserNumber author, std::int64_t followers, Time now,
                                        const ReadRates& rates);

}  // namespace chirp::events
