#include <algorithm>

#include "core/events/consumers.h"

namespace chirp::events {
namespace {

constexpr std::uint32_t kTrimRows = 10'000;

// After a switch from pull to another policy every post older than the switch is pulled by every
// reader. Rebuilding each timeline at its next read costs one such read.
void retire_marks_if_due(Storage& storage, const StoreState& state) {
  const PostId mark = state.push_from_all;
  if (mark != feed::kAlwaysPushed && mark != feed::kNeverPushed) storage.retire_marks();
}

// Asks before it writes: most of the time nothing is old enough, and a commit costs a disk's time.
bool has_old_events(const Snapshot& snapshot, const StoreState& state, Time before) {
  if (state.log_first >= std::min(state.fan_out, state.counters)) return false;
  const auto oldest = snapshot.events(state.log_first, 1);
  return !oldest.empty() && oldest.front().time < before;
}

void trim_log(Storage& storage, const Clock& clock) {
  auto snapshot = storage.snapshot();
  const StoreState state = snapshot->state();
  const Time before{clock.now().ms - state.settings.log_keep_ms};
  if (!has_old_events(*snapshot, state, before)) return;
  snapshot.reset();
  while (storage.trim_log(before, kTrimRows) == kTrimRows) continue;
}

}  // namespace

void drain(Storage& storage, const Clock& clock) {
  FanOut fan_out(storage, clock);
  Counters counters(storage, clock);
  for (;;) {
    // Counters first: they decide tiers, and with them how posts are delivered.
    const Progress counted = counters.step();
    const Progress delivered = fan_out.step();
    if (counted == Progress::kIdle && delivered == Progress::kIdle) break;
  }
  retire_marks_if_due(storage, storage.snapshot()->state());
  trim_log(storage, clock);
}

}  // namespace chirp::events
