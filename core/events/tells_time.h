// Which events are a look at the clock (core/model/passing.h).
#pragma once

#include "core/events/event.h"

namespace chirp::events {

// Whether its time is what the clock said: a load may have a time that was asked for.
[[nodiscard]] constexpr bool tells_time(const Event& event) {
  return event.topic != Topic::kLoadBatch;
}

}  // namespace chirp::events
