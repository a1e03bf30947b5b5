#include <algorithm>
#include <initializer_list>

#include "core/events/consumers.h"
#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::events {
namespace {

constexpr std::uint32_t kTrimRows = 10'000;
constexpr std::uint32_t kKeyRows = 5'000;

// After a switch from pull to another policy every post older than the switch is pulled by every
// reader. Rebuilding each timeline at its next read costs one such read.
void retire_marks_if_due(Storage& storage, const StoreState& state) {
  const PostId mark = state.push_from_all;
  if (mark != feed::kAlwaysPushed && mark != feed::kNeverPushed) rules::retire_marks(storage);
}

// Looks before it writes: most of the time nothing is old enough, and a commit costs a sync of the
// disk.
bool has_old_events(const Snapshot& snapshot, const StoreState& state, Time before) {
  const Sequence needed =
      std::min({state.fan_out, state.counters, state.notifications, state.trends});
  if (state.log_first >= needed) return false;
  const auto oldest = reads::events(snapshot, state.log_first, 1);
  if (oldest.empty()) return false;
  return oldest.front().time < before || state.passed.was_ahead(oldest.front().time);
}

void trim_log(Storage& storage, const Clock& clock) {
  auto snapshot = storage.snapshot();
  const StoreState state = snapshot->state();
  const Time before{state.passed.at(clock.now()).ms - state.settings.log_keep_ms};
  if (!has_old_events(*snapshot, state, before)) return;
  snapshot.reset();
  while (rules::trim_log(storage, before, kTrimRows) == kTrimRows) continue;
}

void forget_keys(Storage& storage, const Clock& clock) {
  auto snapshot = storage.snapshot();
  const Time before{snapshot->state().passed.at(clock.now()).ms - limits::kKeyKeptMs};
  const auto oldest = snapshot->oldest_key();
  snapshot.reset();
  if (!oldest || *oldest >= before) return;
  while (rules::forget_keys(storage, before, kKeyRows) == kKeyRows) continue;
}

bool moved(std::initializer_list<Progress> steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](Progress step) { return step != Progress::kIdle; });
}

}  // namespace

Consumers::Consumers(Storage& storage, const Clock& clock)
    : storage_(storage),
      clock_(clock),
      fan_out_(storage, clock),
      counters_(storage, clock),
      notifications_(storage, clock),
      trends_(storage, clock) {}

bool Consumers::step() {
  // Counters first: they decide tiers, and with them how posts are delivered.
  return moved({counters_.step(), fan_out_.step(), notifications_.step(), trends_.step()});
}

bool Consumers::remove_traces() {
  if (storage_.snapshot()->state().post_removals == 0) return false;
  const std::size_t rows = trace_rows_.rows();
  const std::int64_t started = clock_.steady_ns();
  const bool gone =
      rules::remove_post_traces(storage_, static_cast<std::uint32_t>(rows), clock_.now());
  trace_rows_.note(rows, clock_.steady_ns() - started);
  return !gone;
}

void Consumers::tidy() {
  forget_keys(storage_, clock_);
  retire_marks_if_due(storage_, storage_.snapshot()->state());
  trim_log(storage_, clock_);
}

void drain(Storage& storage, const Clock& clock) {
  Consumers consumers(storage, clock);
  while (consumers.step()) continue;
  while (consumers.remove_traces()) continue;
  consumers.tidy();
}

}  // namespace chirp::events
