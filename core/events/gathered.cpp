// The writing half of fan-out: the parts of a gathered step.
#include <algorithm>
#include <utility>

#include "core/events/gatherer.h"

namespace chirp::events {
namespace {

// Number of viewers with timelines to read at once.
constexpr std::uint32_t kTimelinesARead = 100'000;

}  // namespace

Gathered::Gathered(FanOutStep step, DeliverySet deliveries, StepOutline outline)
    : step_(std::move(step)), deliveries_(std::move(deliveries)), outline_(std::move(outline)) {}

FanOutStep Gathered::announcement() const {
  FanOutStep announcement;
  announcement.from = step_.from;
  announcement.to = step_.from;
  announcement.reach = step_.to;
  return announcement;
}

void Gathered::leave_out_absent(const Inspection& after) {
  std::vector<bool> has;
  for (UserNumber last = kNobody;;) {
    const auto some = after.scan_timelines(last, kTimelinesARead);
    if (some.empty()) break;
    last = some.back();
    has.resize(std::size_t{last.value} + 1);
    for (const UserNumber viewer : some) has[viewer.value] = true;
  }
  const auto absent = [&](UserNumber viewer) {
    return viewer.value >= has.size() || !has[viewer.value];
  };
  deliveries_.leave_out(absent);
  std::erase_if(step_.drop_if_inactive, absent);
}

std::vector<UserNumber> Gathered::drops_up_to(UserNumber viewer) {
  const auto& all = step_.drop_if_inactive;
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(dropped_);
  const auto end = std::upper_bound(begin, all.end(), viewer);
  dropped_ = static_cast<std::size_t>(end - all.begin());
  return {begin, end};
}

std::optional<FanOutStep> Gathered::next_part(std::size_t count) {
  if (done_) return std::nullopt;
  if (!sorted_) deliveries_.sort();
  sorted_ = true;
  const std::size_t end = deliveries_.part_end(position_, count);
  FanOutStep part;
  part.from = step_.from;
  part.to = step_.from;
  part.reach = step_.to;
  part.active_since = step_.active_since;
  part.deliveries = deliveries_.part(position_, end);
  position_ = end;
  if (end < deliveries_.size()) {
    part.drop_if_inactive = drops_up_to(part.deliveries.back().viewer);
    return part;
  }
  // Rows and marks go with the last part, because the step is not done before.
  done_ = true;
  part.to = step_.to;
  part.drop_if_inactive = drops_up_to(UserNumber{~std::uint32_t{0}});
  part.queue = std::move(step_.queue);
  part.finished = std::move(step_.finished);
  part.marks = std::move(step_.marks);
  return part;
}

}  // namespace chirp::events
