// The notifications that an event makes.
//
// A notification is stored as the event's content, under the user and the event's sequence, which
// is its id. Whether it still applies, and its type (a comment or a reply), is decided from the
// state at reading time. So it does not matter when the consumer processes it.
#pragma once

#include <vector>

#include "core/model/event.h"

namespace chirp::events {

struct Notification {
  UserNumber user;  // the recipient
  Sequence sequence;
  // kFollowAdded, kReactionSet, kCommentCreated, kRepostCreated or kMentionCreated
  Topic topic = Topic::kFollowAdded;
  Time time;
  UserNumber actor;
  PostId post{};        // the post; for repost.created its original
  CommentId comment{};  // for comment.created, and for likes of and mentions in a comment
  CommentId parent{};   // for comment.created: the comment replied to

  bool operator==(const Notification&) const = default;
};

// The public id of a notification: the event's sequence in the high bits, and a digest of the event
// in the low bits. After a backup is restored, that sequence may be another event. The digest then
// differs, so an old mark or cursor matches nothing. Ids increase with the sequence.
using NotificationId = StrongId<struct NotificationIdTag, std::uint64_t>;
[[nodiscard]] NotificationId id_of(const Notification& notification);
[[nodiscard]] Sequence sequence_in(NotificationId id);

// Users are not notified of their own actions, of a changed reaction type, or of a load.
// `parent_author` is the author of the comment replied to; kNobody if the comment is not a reply,
// or if that comment is gone.
[[nodiscard]] std::vector<Notification> notifications_of(const Event& event,
                                                         UserNumber parent_author);

}  // namespace chirp::events
