// What the cost policy decides by: estimates, from bounded samples, what pushing an author costs
// and what pulling would cost.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/model/policy.h"
#include "core/ports/read_rates.h"
#include "core/ports/snapshot.h"

namespace chirp::events {

// How often people read by the day of their last read alone: several times on a day with any read,
// less often the longer ago that is.
[[nodiscard]] const ReadRates& rates_by_last_read();

// Remembers when the costs of which author were last estimated.
class EstimateSchedule {
 public:
  // Whether the costs of the author are to be estimated now: at most every ten minutes. If so, this
  // counts as done.
  [[nodiscard]] bool take_due(UserNumber author, Time now);

 private:
  std::unordered_map<UserNumber, Time> weighed_;
};

// The mark that `current` should give way to, if it should, of an author with `followers`
// followers.
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
