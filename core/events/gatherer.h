// The reading half of fan-out: gathers deliveries from one state, in memory.
//
// They may be written at any later time, in parts, by any process, or never: posts stay pending
// until the offset moves, merging into a timeline is a union of sets, and the store rejects the
// step if the offset has moved since gathering began.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/events/cost_estimates.h"
#include "core/events/delivery_set.h"
#include "core/events/inbox.h"
#include "core/ports/read_rates.h"
#include "core/ports/snapshot.h"
#include "core/ports/steps.h"

namespace chirp::events {

// How much a fan-out step gathers in memory before it flushes.
struct FanOutBounds {
  std::uint32_t events = 8'192;
  std::uint32_t deliveries = 2'000'000;
  std::uint32_t chunk = limits::kFanOutChunk;  // followers that one post is delivered to at once
  // Steps of at least this many deliveries are large and drop timelines of inactive users; 0: none.
  std::uint32_t large = 0;
};

// The posts of a step, once all of it is written.
struct StepOutline {
  std::vector<PostId> finished;  // delivered to all timelines
  std::vector<PostId> fetched;   // pulled by readers: not delivered, or not any further
};

// A step in memory, handed out in parts that each fit one short transaction. Until the last part
// the offset does not move (`to` == `from`).
//
// In a large step, most viewers may have no timeline. To leave them out without a look-up in a
// transaction, the step is announced first. From then on, timelines built from a state before the
// step's end can't be stored. So a viewer without a timeline needs no delivery: a timeline stored
// later already has all of it.
class Gathered {
 public:
  Gathered(FanOutStep step, DeliverySet deliveries, StepOutline outline = {});

  [[nodiscard]] std::size_t deliveries() const { return deliveries_.size(); }
  [[nodiscard]] const StepOutline& outline() const { return outline_; }
  // Whether the last part has been handed out.
  [[nodiscard]] bool is_done() const { return done_; }
  // Call it before leave_out_absent() and before any part is handed out.
  [[nodiscard]] FanOutStep announcement() const;
  // Leaves out viewers without a timeline. `after` must be newer than the announcement.
  void leave_out_absent(const Inspection& after);
  // The next part, with about `count` deliveries; empty after the last.
  [[nodiscard]] std::optional<FanOutStep> next_part(std::size_t count);

 private:
  [[nodiscard]] std::vector<UserNumber> drops_up_to(UserNumber viewer);

  FanOutStep step_;  // without the deliveries
  DeliverySet deliveries_;
  StepOutline outline_;
  std::size_t position_ = 0;
  std::size_t dropped_ = 0;  // number of step_.drop_if_inactive handed out
  bool sorted_ = false;
  bool done_ = false;
};

class Gatherer {
 public:
  // The cost rule uses `rates`, which must outlive this.
  Gatherer(const Bindings& bindings, FanOutBounds bounds,
           const ReadRates& rates = rates_by_last_read())
      : bindings_(bindings), bounds_(bounds), rates_(rates) {}

  // Gathers events of the log first, then queued posts up to the bound, authors taking turns. Empty
  // if nothing is pending.
  [[nodiscard]] std::optional<Gathered> gather(const Snapshot& snapshot, Time now);

 private:
  Bindings bindings_;
  FanOutBounds bounds_;
  const ReadRates& rates_;
  EstimateSchedule schedule_;
  UserNumber turn_;  // the author of the queued post served last
};

}  // namespace chirp::events
