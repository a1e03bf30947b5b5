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
#include "core/ports/read_rates.h"
#include "core/ports/snapshot.h"
#include "core/ports/steps.h"

namespace chirp::events {

// How much a fan-out step gathers in memory before it flushes.
struct FanOutBounds {
  std::uint32_t events = 8'192;
  std::uint32_t deliveries = 2'000'000;
  std::uint32_t chunk = limits::kFanOutChunk;  // followers that a post is delivered to at once
  // A step of so many deliveries or more is large: timelines that nobody reads go; 0: none is.
  std::uint32_t large = 0;
};

// What becomes of the posts of a step, once all of it is written.
struct StepOutline {
  std::vector<PostId> finished;  // all was delivered that is to be
  std::vector<PostId> fetched;   // readers find it in its author's log: nothing is delivered, or no
                                 // more of it
};

// A step in memory, handed out in parts that each fit one short transaction. Until the last part
// the offset stays (`to` == `from`).
//
// Most viewers of a large step may have no timeline. They are left out in two moves, so that no
// transaction looks for them: the step is announced, from when on nobody may store a timeline that
// was walked before its end; and who has none then needs nothing of it, for a timeline stored later
// holds all of it.
class Gathered {
 public:
  Gathered(FanOutStep step, DeliverySet deliveries, StepOutline outline = {});

  [[nodiscard]] std::size_t deliveries() const { return deliveries_.size(); }
  [[nodiscard]] const StepOutline& outline() const { return outline_; }
  // Whether the last part has been handed out.
  [[nodiscard]] bool is_done() const { return done_; }
  // To be taken before leave_out_absent(), while nothing is handed out.
  [[nodiscard]] FanOutStep announcement() const;
  // Leaves out who has no timeline. `after` was begun after the announcement was taken.
  void leave_out_absent(const Inspection& after);
  // The next part, of about `count` deliveries; empty when all have been handed out.
  [[nodiscard]] std::optional<FanOutStep> next_part(std::size_t count);

 private:
  [[nodiscard]] std::vector<UserNumber> drops_up_to(UserNumber viewer);

  FanOutStep step_;  // less the deliveries
  DeliverySet deliveries_;
  StepOutline outline_;
  std::size_t position_ = 0;
  std::size_t dropped_ = 0;  // of step_.drop_if_inactive, handed out
  bool sorted_ = false;
  bool done_ = false;
};

class Gatherer {
 public:
  // `rates` is what the cost rule goes by, and outlives this.
  Gatherer(const Bindings& bindings, FanOutBounds bounds,
           const ReadRates& rates = rates_by_last_read())
      : bindings_(bindings), bounds_(bounds), rates_(rates) {}

  // Events of the log first; queued posts with what is left of the bound, authors taking turns.
  // Empty when nothing is pending.
  [[nodiscard]] std::optional<Gathered> gather(const Snapshot& snapshot, Time now);

 private:
  Bindings bindings_;
  FanOutBounds bounds_;
  const ReadRates& rates_;
  EstimateSchedule schedule_;
  UserNumber turn_;  // the author of the queued post served last
};

}  // namespace chirp::events
