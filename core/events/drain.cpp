#include <algorithm>
#include <initializer_list>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/rules/settings.h"
#include "core/rules/writing.h"

namespace chirp::events {
namespace {

constexpr std::int64_t kFanOutRest = 8;
constexpr std::int64_t kFanOutRestMaxNs = 2'000'000'000;
constexpr std::int64_t kFanOutAtOnceNs = 50'000'000;  // then the other consumers take a turn

// After a switch from pull to another policy, every reader pulls all posts older than the switch.
// Rebuilding a timeline costs one such read.
void retire_marks_if_due(Storage& storage, const StoreState& state) {
  if (rules::is_finite(state.push_from_all)) rules::retire_marks(storage);
}

// Checks before writing: usually nothing is old enough, and a commit costs a sync of the disk.
bool has_old_events(const Snapshot& snapshot, const StoreState& state, Time before) {
  const Sequence needed =
      std::min({state.fan_out, state.counters, state.notifications, state.trends});
  if (state.log_first >= needed) return false;
  const auto oldest = reads::events(snapshot, state.log_first, 1);
  if (oldest.empty()) return false;
  return oldest.front().time < before || state.passed.was_ahead(oldest.front().time);
}

// The reserve may be reached between a check and a turn. Then returns false; nothing has moved.
template <class Step>
bool unless_reserved(const Step& step) {
  try {
    return step();
  } catch (const Error& error) {
    if (!is_reserve_reached(error)) throw;
    return false;
  }
}

bool moved(std::initializer_list<Progress> steps) {
  return std::any_of(steps.begin(), steps.end(),
                     [](Progress step) { return step != Progress::kIdle; });
}

}  // namespace

bool FanOutTurns::due(const StoreState& state, std::int64_t now_ns) const {
  if (state.log_end.value - state.fan_out.value >= limits::kPendingEventsMax / 2) return true;
  return now_ns >= next_ns_;
}

void FanOutTurns::note(std::int64_t took_ns, std::int64_t now_ns, bool last) {
  taken_ns_ += took_ns;
  if (!last) return;
  next_ns_ = now_ns + std::min(kFanOutRest * taken_ns_, kFanOutRestMaxNs);
  taken_ns_ = 0;
}

Consumers::Consumers(Storage& storage, const Clock& clock, FanOutBounds bounds,
                     const ReadRates& rates)
    : storage_(storage),
      clock_(clock),
      fan_out_(storage, clock, bounds, FanOut::kTurnRows, rates),
      counters_(storage, clock),
      notifications_(storage, clock),
      trends_(storage, clock),
      traces_(storage, clock, {250, 50, 1'000}),
      trimming_(storage, clock, {2'000, 500, 20'000}),
      forgetting_(storage, clock, {250, 50, 1'000}),
      tiers_(storage, clock, {1'000, 250, 4'000}) {}

bool Consumers::step() {
  if (is_paused()) return false;
  // Counters first, because they decide tiers, and tiers decide how posts are delivered.
  return unless_reserved([this] {
    return moved({counters_.step(), fan_out_.step(), notifications_.step(), trends_.step()});
  });
}

bool Consumers::step_in_turn() {
  if (is_paused()) return false;
  return unless_reserved([this] { return take_turns(); });
}

bool Consumers::take_turns() {
  const bool others = moved({counters_.step(), notifications_.step(), trends_.step()});
  const std::int64_t start = clock_.steady_ns();
  if (!fan_out_.under_way() && !turns_.due(storage_.snapshot()->state(), start)) return others;
  const bool delivered = fan_out_.go_on(kFanOutAtOnceNs) != Progress::kIdle;
  const std::int64_t end = clock_.steady_ns();
  if (delivered && fan_out_.is_large()) turns_.note(end - start, end, !fan_out_.under_way());
  return others || delivered;
}

bool Consumers::hurried(std::uint64_t events) const {
  if (is_paused()) return false;
  if (fan_out_.under_way() || trends_.under_way()) return true;
  const StoreState state = storage_.snapshot()->state();
  const Sequence taken = std::min({state.counters, state.notifications, state.trends});
  if (state.log_end.value - taken.value >= events) return true;
  return state.log_end.value - state.fan_out.value >= events &&
         turns_.due(state, clock_.steady_ns());
}

bool Consumers::remove_traces() {
  if (storage_.snapshot()->state().post_removals == 0) return false;
  return !traces_.take([&](std::uint32_t rows) {
    return rules::remove_post_traces(traces_.storage(), rows, clock_.now());
  });
}

bool Consumers::settle_tiers() {
  if (!rules::tiers_due(*storage_.snapshot())) return false;
  return !tiers_.take([&](std::uint32_t users) {
    return rules::settle_tiers(tiers_.storage(), users, clock_.now());
  });
}

void Consumers::tidy() {
  forget_keys();
  retire_marks_if_due(storage_, storage_.snapshot()->state());
  trim_log();
}

void Consumers::trim_log() {
  auto snapshot = storage_.snapshot();
  const StoreState state = snapshot->state();
  const Time before{state.passed.at(clock_.now()).ms - state.settings.log_keep_ms};
  if (!has_old_events(*snapshot, state, before)) return;
  snapshot.reset();
  const auto trim = [&](std::uint32_t rows) {
    return rules::trim_log(trimming_.storage(), before, rows) < rows;
  };
  while (!trimming_.take(trim)) continue;
}

void Consumers::forget_keys() {
  auto snapshot = storage_.snapshot();
  const Time before{snapshot->state().passed.at(clock_.now()).ms - limits::kKeyKeptMs};
  const auto oldest = snapshot->oldest_key();
  snapshot.reset();
  if (!oldest || *oldest >= before) return;
  const auto forget = [&](std::uint32_t rows) {
    return rules::forget_keys(forgetting_.storage(), before, rows) < rows;
  };
  while (!forgetting_.take(forget)) continue;
}

bool drain(Storage& storage, const Clock& clock) {
  Consumers consumers(storage, clock);
  // First, because new tiers are logged for the consumers.
  while (consumers.settle_tiers()) continue;
  while (consumers.step()) continue;
  while (consumers.remove_traces()) continue;
  consumers.tidy();
  return !consumers.is_paused();
}

}  // namespace chirp::events
