#include "core/model/notification.h"

#include <initializer_list>

namespace chirp::events {
namespace {

constexpr unsigned kDigestBits = 20;
constexpr std::uint64_t kIdBits = ~std::uint64_t{0} >> 1;  // 63

// The finalizer of MurmurHash3: each bit of `value` reaches each bit of the result.
constexpr std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 33)) * 0xff51'afd7'ed55'8ccd;
  value = (value ^ (value >> 33)) * 0xc4ce'b9fe'1a85'ec53;
  return value ^ (value >> 33);
}

}  // namespace

NotificationId id_of(const Notification& notification) {
  // The digest uses only what the reader sees.
  std::uint64_t digest = 0;
  for (const std::uint64_t value : {static_cast<std::uint64_t>(notification.topic),
                                    static_cast<std::uint64_t>(notification.time.ms),
                                    notification.post.value, notification.comment.value}) {
    digest = mixed(digest ^ value) + 1;
  }
  const std::uint64_t high = notification.sequence.value << kDigestBits;
  return {(high | (digest >> (64 - kDigestBits))) & kIdBits};
}

Sequence sequence_in(NotificationId id) { return {id.value >> kDigestBits}; }

std::vector<Notification> notifications_of(const Event& event, UserNumber parent_author) {
  std::vector<Notification> notifications;
  const auto tell = [&](UserNumber user) {
    if (user == kNobody || user == event.actor) return;
    // Each repost is a post of its own, so the original identifies repeats.
    const PostId post = event.topic == Topic::kRepostCreated ? event.original : event.post;
    notifications.push_back({user, event.sequence, event.topic, event.time, event.actor, post,
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
