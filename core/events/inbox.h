// The events of the log that a consumer gets.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/event.h"
#include "core/ports/reads.h"

namespace chirp::events {

struct Inbox {
  std::vector<Event> events;  // events of bound topics, oldest first
  Sequence next;              // one past the last event read, bound or not
};

// Reads the events from `from` on, at most `limit`.
[[nodiscard]] inline Inbox take_in(const RowReader& snapshot, Sequence from, std::uint32_t limit,
                                   const Bindings& bindings) {
  Inbox inbox{reads::events(snapshot, from, limit), from};
  if (!inbox.events.empty()) inbox.next = Sequence{inbox.events.back().sequence.value + 1};
  std::erase_if(inbox.events, [&](const Event& event) { return !bindings.match(event.topic); });
  return inbox;
}

}  // namespace chirp::events
