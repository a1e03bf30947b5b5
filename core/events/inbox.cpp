#include "core/events/inbox.h"

#include <algorithm>

#include "core/ports/reads.h"

namespace chirp::events {

Bindings::Bindings(std::span<const std::string_view> patterns) {
  for (std::size_t number = 0; number < topics_.size(); ++number) {
    const std::string_view topic = name(static_cast<Topic>(number));
    if (topic.empty()) continue;
    topics_[number] = std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
      return matches(pattern, topic);
    });
  }
}

Inbox take_in(const RowReader& snapshot, Sequence from, std::uint32_t limit,
              const Bindings& bindings) {
  Inbox inbox{reads::events(snapshot, from, limit), from};
  if (!inbox.events.empty()) inbox.next = Sequence{inbox.events.back().sequence.value + 1};
  std::erase_if(inbox.events, [&](const Event& event) { return !bindings.match(event.topic); });
  return inbox;
}

}  // namespace chirp::events
