// The reading half of fan-out: gathers what is to be delivered, out of one state, in memory.
//
// What is gathered may be written at any later time, in parts, by anybody, or never: posts stay
// pending until the offset moves, merging into a timeline is merging sets, and the store takes the
// step only while the offset is where the gathering began.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/events/cost_estimates.h"
#include "core/events/delivery_set.h"
#include "core/events/inbox.h"
#include "core/ports/snapshot.h"
#include "core/ports/steps.h"

namespace chirp::events {

// How much a fan-out step gathers in memory before it flushes.
struct FanOutBounds {
  std::uint32_t events = 4096;
  std::uint32_t deliveries = 400'000;
  std::uint32_t chunk = limits::kFanOutChunk;  // followers that a post is delivered to at once
};

// A step in memory, handed out in parts that each fit one short transaction. Until the last part
// the offset stays (`to` == `from`).
class Gathered {
 public:
  Gathered(FanOutStep step, DeliverySet deliveries);

  // The next part, of about `count` deliveries; empty when all have been handed out.
  [[nodiscard]] std::optional<FanOutStep> next_part(std::size_t count);

 private:
  [[nodiscard]] std::vector<UserNumber> drops_up_to(UserNumber viewer);

  FanOutStep step_;  // less the deliveries
  DeliverySet deliveries_;
  std::size_t position_ = 0;
  std::size_t dropped_ = 0;  // of step_.drop_if_inactive, handed out
  bool done_ = false;
};

class Gatherer {
 public:
  Gatherer(const Bindings& bindings, FanOutBounds bounds) : bindings_(bindings), bounds_(bounds) {}

  // Events of the log first; queued posts with what is left of the bound, authors taking turns.
  // Empty when nothing is pending.
  [[nodiscard]] std::optional<Gathered> gather(const Snapshot& snapshot, Time now);

 private:
  Bindings bindings_;
  FanOutBounds bounds_;
  EstimateSchedule schedule_;
  UserNumber turn_;  // the author of the queued post served last
};

}  // namespace chirp::events
