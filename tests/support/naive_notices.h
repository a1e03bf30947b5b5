// What the consumers of notifications and hashtags make of the log, in their plainest form, and
// what must hold of what they have kept.
#pragma once

#include <string>
#include <vector>

#include "core/ports/steps.h"
#include "core/ports/storage.h"

namespace chirp::test {

// Of everything from where the consumer stands to the end of the log.
[[nodiscard]] NotificationStep naive_notification_step(const Snapshot& snapshot);
[[nodiscard]] TrendStep naive_trend_step(const Snapshot& snapshot, Time now);

// Everybody is told what the log says and nothing else; posts have the hashtags of their texts. One
// line for each breach. Of fewer notifications a user than limits::kNotificationsKept.
[[nodiscard]] std::vector<std::string> notice_breaches(const Snapshot& snapshot);

}  // namespace chirp::test
