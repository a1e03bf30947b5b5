#include "core/model/notification.h"

namespace chirp::events {

std::vector<Notification> notifications_of(const Event& event, UserNumber parent_author) {
  std::vector<Notification> notifications;
  const auto tell = [&](UserNumber user) {
    if (user == kNobody || user == event.actor) return;
    notifications.push_back({user, event.sequence, event.topic, event.time, event.actor, event.post,
                             event.comment, event.parent});
  };
  switch (event.topic) {
    case Topic::kFollowAdded:
    case Topic::kRepostCreated:
    case Topic::kMentionCreated:
      tell(event.other);
      break;
    case Topic::kReactionSet:
      if (!event.reaction_before) tell(event.other);
      break;
    case Topic::kCommentCreated:
      tell(event.other);
      if (parent_author != event.other) tell(parent_author);
      break;
    default:
      break;
  }
  return notifications;
}

}  // namespace chirp::events
