#include <algorithm>
#include <tuple>

#include "core/events/consumers.h"
#include "core/events/notifications_of.h"
#include "core/rules/writing.h"

namespace chirp::events {

Notifications::Notifications(Storage& storage, const Clock& clock, std::uint32_t events)
    : storage_(storage), clock_(clock), bindings_(kBindings), events_(events) {}

Progress Notifications::step() {
  auto snapshot = storage_.snapshot();
  const StoreState state = snapshot->state();
  if (state.notifications == state.log_end) return Progress::kIdle;
  const Inbox inbox = take_in(*snapshot, state.notifications, events_, bindings_);
  NotificationStep step;
  step.from = state.notifications;
  step.to = inbox.next;
  step.notifications = notifications_of(*snapshot, inbox.events);
  snapshot.reset();
  std::sort(step.notifications.begin(), step.notifications.end(),
            [](const Notification& a, const Notification& b) {
              return std::tie(a.user, a.sequence) < std::tie(b.user, b.sequence);
            });
  return rules::commit(storage_, step, clock_.now()) ? Progress::kMoved : Progress::kOvertaken;
}

}  // namespace chirp::events
