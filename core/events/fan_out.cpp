#include <algorithm>
#include <limits>

#include "core/events/consumers.h"
#include "core/rules/steps.h"
#include "core/rules/writing.h"

namespace chirp::events {
namespace {

// Each may be on a page of its own. The store pays twice for a turn that touches more than some 400
// of them: what it keeps of free pages no longer fits one
// (docs/decisions/0065-rounds-of-fan-out.md).
constexpr rules::TurnRows kDeliveriesATurn{2'000, 500, 1'000'000};
// Fewer deliveries than these say more of the cost of a commit than of theirs.
constexpr std::size_t kDeliveriesToMeasure = 5'000;

std::uint32_t per_delivery_ns(std::int64_t elapsed_ns, std::size_t deliveries) {
  if (deliveries < kDeliveriesToMeasure || elapsed_ns <= 0) return 0;
  const auto each = static_cast<std::uint64_t>(elapsed_ns) / deliveries;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(each, 1, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

FanOut::FanOut(Storage& storage, const Clock& clock, FanOutBounds bounds)
    : storage_(storage),
      clock_(clock),
      gatherer_(Bindings(kBindings), bounds),
      turns_(storage, clock, kDeliveriesATurn),
      large_(bounds.large) {}

Progress FanOut::step() { return go_on(std::numeric_limits<std::int64_t>::max()); }

Progress FanOut::go_on(std::int64_t for_ns) {
  const std::int64_t start = clock_.steady_ns();
  if (!gathered_) {
    const Progress progress = gather();
    if (progress != Progress::kMoved) return progress;
  }
  do {
    auto step = gathered_->next_part(turns_.rows());
    if (!step) {
      gathered_.reset();
      return Progress::kMoved;
    }
    if (!flush(*step)) {
      gathered_.reset();
      return Progress::kOvertaken;
    }
  } while (clock_.steady_ns() - start < for_ns);
  return Progress::kMoved;
}

Progress FanOut::gather() {
  // An old state held through a commit keeps its pages from being used again.
  gathered_ = gatherer_.gather(*storage_.snapshot(), clock_.now());
  if (!gathered_) return Progress::kIdle;
  is_large_ = large_ != 0 && gathered_->deliveries() >= large_;
  if (!is_large_) return Progress::kMoved;
  if (!rules::commit(turns_.storage(), gathered_->announcement(), clock_.now())) {
    gathered_.reset();
    return Progress::kOvertaken;
  }
  gathered_->leave_out_absent(*storage_.snapshot());
  return Progress::kMoved;
}

// False if somebody else has moved the offset.
bool FanOut::flush(FanOutStep& step) {
  const std::size_t deliveries = step.deliveries.size();
  step.drop = leave_out_unread(step.deliveries);
  step.delivery_ns = delivery_ns_;
  std::int64_t start = 0;
  const bool taken = turns_.storage().decide(clock_.now(), Purpose::kFanOut, [&](Rows& rows) {
    start = clock_.steady_ns();  // waiting for the turn is no cost of a delivery
    return rules::take(rows, step);
  });
  if (!taken) return false;
  deliveries_ += step.deliveries.size();
  delivery_ns_ = per_delivery_ns(clock_.steady_ns() - start, deliveries);
  turns_.took(deliveries);
  return true;
}

void FanOut::note_read(UserNumber viewer) {
  if (large_ == 0) return;
  if (readings_.size() <= viewer.value) readings_.resize(std::size_t{viewer.value} + 1);
  readings_[viewer.value] = kStepsAfterRead;
}

// Takes away the deliveries of those whose timelines go instead, and says who they are.
std::vector<UserNumber> FanOut::leave_out_unread(std::vector<Delivery>& deliveries) {
  std::vector<UserNumber> unread;
  if (!is_large_ || deliveries.empty()) return unread;
  const std::size_t viewers = std::size_t{deliveries.back().viewer.value} + 1;
  if (readings_.size() < viewers) readings_.resize(viewers);
  UserNumber viewer = kNobody;
  bool stays = false;
  std::erase_if(deliveries, [&](const Delivery& delivery) {
    if (delivery.viewer != viewer) {
      viewer = delivery.viewer;
      std::uint8_t& left = readings_[viewer.value];
      stays = left != 0;
      if (stays) {
        --left;
      } else {
        unread.push_back(viewer);
      }
    }
    return !stays;
  });
  return unread;
}

}  // namespace chirp::events
