// The events that consumers have not processed yet.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/store_state.h"

namespace chirp::cli {

using Numbers = std::vector<std::pair<std::string, std::uint64_t>>;

// Pending events by consumer. Fan-out also counts posts with unfinished deliveries.
[[nodiscard]] inline Numbers pending_in(const StoreState& state) {
  return {{"fanout", state.log_end.value - state.fan_out.value + state.fan_out_queue},
          {"counters", state.log_end.value - state.counters.value},
          {"notifications", state.log_end.value - state.notifications.value},
          {"trends", state.log_end.value - state.trends.value}};
}

}  // namespace chirp::cli
