#include "core/load/time_spread.h"

#include <algorithm>
#include <cstddef>

namespace chirp::load {

bool TimeSpread::end_group() {
  if (times_.empty()) return false;
  constexpr std::size_t kTenth = 10;
  std::ranges::sort(times_);
  const bool overlaps = within_earlier() > times_.size() / 2;
  note({times_[times_.size() / kTenth], times_[times_.size() - 1 - times_.size() / kTenth]});
  times_.clear();
  return overlaps;
}

// Ends do not count: posts of one time alone are in order.
std::size_t TimeSpread::within_earlier() const {
  std::size_t count = 0;
  for (const Range& range : earlier_) {
    const auto first = std::ranges::upper_bound(times_, range.first);
    const auto last = std::lower_bound(first, times_.end(), range.last);
    count += static_cast<std::size_t>(last - first);
  }
  return count;
}

void TimeSpread::note(Range range) {
  const auto begin = std::ranges::lower_bound(earlier_, range.first, {}, &Range::last);
  auto end = begin;
  for (; end != earlier_.end() && end->first <= range.last; ++end) {
    range.first = std::min(range.first, end->first);
    range.last = std::max(range.last, end->last);
  }
  earlier_.insert(earlier_.erase(begin, end), range);
}

}  // namespace chirp::load
