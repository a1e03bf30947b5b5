// The cost policy's scales: estimates, from bounded samples, what pushing an author costs and what
// pulling would.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/model/policy.h"
#include "core/ports/snapshot.h"

namespace chirp::events {

// Remembers who has been weighed when.
class EstimateSchedule {
 public:
  // Whether the author is to be weighed now: at most every ten minutes. Counts as done.
  [[nodiscard]] bool take_due(UserNumber author, Time now);

 private:
  std::unordered_map<UserNumber, Time> weighed_;
};

// The mark that `current` should give way to, if it should, of an author with `followers`
// followers.
[[nodiscard]] std::optional<feed::AuthorMark> weighed(const Snapshot& snapshot,
                                                      const StoreState& state,
                                                      const feed::AuthorMark& current,
                                                      std::int64_t followers, Time now);

// What there is to weigh of an author with `followers` followers.
[[nodiscard]] feed::AuthorCost estimate(const Snapshot& snapshot, const StoreState& state,
                                        UserNumber author, std::int64_t followers, Time now);

}  // namespace chirp::events
