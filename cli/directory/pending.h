// What the consumers have yet to take in.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ports/store_state.h"

namespace chirp::cli {

using Numbers = std::vector<std::pair<std::string, std::uint64_t>>;

// Events by consumer; of fan-out the posts whose deliveries are unfinished, too.
[[nodiscard]] inline Numbers pending_in(const StoreState& state) {
  return {{"fanout", state.log_end.value - state.fan_out.value + state.fan_out_queue},
          {"counters", state.log_end.value - state.counters.value},
          {"notifications", state.log_end.value - state.notifications.value},
          {"trends", state.log_end.value - state.trends.value}};
}

}  // namespace chirp::cli
