#include <algorithm>
#include <vector>

#include "core/events/consumers.h"
#include "core/events/deltas.h"

namespace chirp::events {
namespace {

void append_deltas(const Event& event, std::vector<CounterDelta>& deltas) {
  switch (event.topic) {
    case Topic::kPostCreated:
    case Topic::kRepostCreated:
      deltas.push_back({event.actor, 0, 0, 1});
      break;
    case Topic::kPostRemoved:
    case Topic::kRepostRemoved:
      deltas.push_back({event.actor, 0, 0, -1});
      break;
    case Topic::kFollowAdded:
      deltas.push_back({event.actor, 0, 1, 0});
      deltas.push_back({event.other, 1, 0, 0});
      break;
    case Topic::kFollowRemoved:
      deltas.push_back({event.actor, 0, -1, 0});
      deltas.push_back({event.other, -1, 0, 0});
      break;
    default:
      break;
  }
}

// One delta a user; users who come out even are left out.
void combine(std::vector<CounterDelta>& deltas) {
  std::sort(deltas.begin(), deltas.end(),
            [](const CounterDelta& a, const CounterDelta& b) { return a.user < b.user; });
  std::size_t kept = 0;
  for (std::size_t at = 0; at < deltas.size();) {
    CounterDelta sum{deltas[at].user};
    for (; at < deltas.size() && deltas[at].user == sum.user; ++at) {
      sum.followers += deltas[at].followers;
      sum.following += deltas[at].following;
      sum.posts += deltas[at].posts;
    }
    if (sum.followers != 0 || sum.following != 0 || sum.posts != 0) deltas[kept++] = sum;
  }
  deltas.resize(kept);
}

}  // namespace

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
    append_deltas(event, step.deltas);
    append_content_deltas(event, step.contents);
  }
  combine(step.deltas);
  combine(step.contents);
  return storage_.commit(step, clock_.now()) ? Progress::kMoved : Progress::kOvertaken;
}

}  // namespace chirp::events
