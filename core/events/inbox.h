// Topic routing: the events that a consumer gets.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/event.h"
#include "core/ports/snapshot.h"

namespace chirp::events {

// The topics that match a consumer's patterns.
class Bindings {
 public:
  explicit Bindings(std::span<const std::string_view> patterns);
  [[nodiscard]] bool match(Topic topic) const {
    return topics_.test(static_cast<std::size_t>(topic));
  }

 private:
  std::bitset<256> topics_;
};

struct Inbox {
  std::vector<Event> events;  // events of bound topics, oldest first
  Sequence next;              // one past the last event read, bound or not
};

// Reads the events from `from` on, at most `limit`.
[[nodiscard]] Inbox take_in(const RowReader& snapshot, Sequence from, std::uint32_t limit,
                            const Bindings& bindings);

}  // namespace chirp::events
