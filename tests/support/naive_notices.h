// The consumers of notifications and hashtags in their simplest form, and the invariants of what
// they store.
#pragma once

#include <string>
#include <vector>

#include "core/ports/steps.h"
#include "core/ports/storage.h"

namespace chirp::test {

// From the consumer's offset to the end of the log.
[[nodiscard]] NotificationStep naive_notification_step(const Snapshot& snapshot);
[[nodiscard]] TrendStep naive_trend_step(const Snapshot& snapshot, Time now);

// Checks that users have exactly the notifications in the log, and posts their texts' hashtags.
// Returns a line for each breach. Needs fewer than limits::kNotificationsKept a user.
[[nodiscard]] std::vector<std::string> notice_breaches(const Snapshot& snapshot);

}  // namespace chirp::test
