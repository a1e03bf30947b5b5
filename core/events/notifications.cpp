#include <algorithm>
#include <tuple>
#include <utility>

#include "core/events/consumers.h"
#include "core/events/notifications_of.h"
#include "core/rules/writing.h"

namespace chirp::events {
namespace {

using Notified = std::vector<Notification>::const_iterator;

// The end of a part with as many notifications as there are rows for, but whole events, at least
// one.
Notified part_end(Notified begin, Notified end, std::size_t rows) {
  if (static_cast<std::size_t>(end - begin) <= rows) return end;
  const auto same = [](const Notification& a, const Notification& b) {
    return a.sequence == b.sequence;
  };
  Notified cut = begin + static_cast<std::ptrdiff_t>(rows);
  while (cut != begin && same(*std::prev(cut), *cut)) --cut;
  if (cut != begin) return cut;
  return std::find_if(begin, end, [&](const Notification& one) { return !same(one, *begin); });
}

}  // namespace

Progress NotificationConsumer::step() {
  auto snapshot = storage_.snapshot();
  const StoreState state = snapshot->state();
  if (state.notifications == state.log_end) return Progress::kIdle;
  const Inbox inbox = take_in(*snapshot, state.notifications, events_, bindings_);
  const std::vector<Notification> all = NewNotifications(*snapshot).next(inbox.events);
  snapshot.reset();
  NotificationStep step;
  step.to = state.notifications;
  auto next = all.begin();
  do {
    const Notified end = part_end(next, all.end(), turns_.rows());
    step.from = step.to;
    step.to = end == all.end() ? inbox.next : end->sequence;
    step.notifications.assign(next, end);
    next = end;
    std::sort(step.notifications.begin(), step.notifications.end(),
              [](const Notification& a, const Notification& b) {
                return std::tie(a.user, a.sequence) < std::tie(b.user, b.sequence);
              });
    if (!rules::commit(turns_.storage(), step, clock_.now())) return Progress::kOvertaken;
    turns_.took(step.notifications.size());
  } while (step.to != inbox.next);
  return Progress::kMoved;
}

}  // namespace chirp::events
