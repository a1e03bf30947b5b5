#include "core/events/consumers.h"
#include "core/model/deltas.h"
#include "core/rules/writing.h"

namespace chirp::events {
Counters::Counters(Storage& storage, const Clock& clock, std::uint32_t events)
    : storage_(storage), clock_(clock), bindings_(kBindings), events_(events) {}

Progress Counters::step() {
  auto snapshot = storage_.snapshot();
  const StoreState state = snapshot->state();
  if (state.counters == state.log_end) return Progress::kIdle;
  const Inbox inbox = take_in(*snapshot, state.counters, events_, bindings_);
  snapshot.reset();
  CounterStep step{state.counters, inbox.next, {}, {}};
  for (const Event& event : inbox.events) {
    append_user_deltas(event, step.deltas);
    append_content_deltas(event, step.contents);
  }
  combine(step.deltas);
  combine(step.contents);
  return rules::commit(storage_, step, clock_.now()) ? Progress::kMoved : Progress::kOvertaken;
}

}  // namespace chirp::events
