// The notifications of many events, out of one state: for the consumer and for whoever reads what
// the consumer has yet to take in.
#pragma once

#include <span>
#include <vector>

#include "core/model/notification.h"
#include "core/ports/snapshot.h"

namespace chirp::events {

// In the order of the events.
[[nodiscard]] std::vector<Notification> notifications_of(const RowReader& snapshot,
                                                         std::span<const Event> events);

}  // namespace chirp::events
