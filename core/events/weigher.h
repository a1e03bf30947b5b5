// The cost policy's scales: estimates, from bounded samples, what pushing an author costs and what
// pulling would.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/feed/policy.h"
#include "core/ports/snapshot.h"

namespace chirp::events {

class Weigher {
 public:
  // The mark that `current` should give way to, if it should. An author is weighed at most every
  // ten minutes.
  [[nodiscard]] std::optional<feed::AuthorMark> weigh(const Snapshot& snapshot,
                                                      const StoreState& state,
                                                      const feed::AuthorMark& current,
                                                      std::int64_t followers, Time now);

 private:
  [[nodiscard]] bool is_due(UserNumber author, Time now);

  std::unordered_map<UserNumber, Time> weighed_;
};

// What there is to weigh of an author with `followers` followers.
[[nodiscard]] feed::AuthorCost estimate(const Snapshot& snapshot, const StoreState& state,
                                        UserNumber author, std::int64_t followers, Time now);

}  // namespace chirp::events
