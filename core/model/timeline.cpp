#include "core/model/timeline.h"

#include <algorithm>
#include <iterator>

#include "core/error.h"

namespace chirp {

void merge_entries(Timeline& timeline, std::span<const Entry> added, std::uint32_t cap) {
  std::vector<Entry> merged;
  merged.reserve(timeline.entries.size() + added.size());
  // For equal ids std::set_union takes the first range's, so stored entries are unchanged.
  std::set_union(timeline.entries.begin(), timeline.entries.end(), added.begin(), added.end(),
                 std::back_inserter(merged), newer);
  while (!merged.empty() && merged.back().id < timeline.complete_from) merged.pop_back();
  timeline.entries = std::move(merged);
  trim(timeline, cap);
}

void trim(Timeline& timeline, std::uint32_t cap) {
  check(cap >= 1, "a timeline keeps at least one entry");
  if (timeline.entries.size() <= cap) return;
  timeline.entries.resize(cap);
  timeline.complete_from = std::max(timeline.complete_from, timeline.entries.back().id);
}

Time start_of_day(Time time) {
  const auto ticks = static_cast<std::int64_t>(snowflake::ticks_of(time));
  return {snowflake::kEpochMs + ticks / kDayMs * kDayMs};
}

}  // namespace chirp
