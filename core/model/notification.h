// Who is told of an event: the notifications that it makes.
//
// A notification is kept as what the event says, under the user and the event's sequence, which is
// its id. Whether it still holds, and what it is called (a comment or a reply), is decided when it
// is read, from the state then; so it does not matter when the consumer came by.
#pragma once

#include <vector>

#include "core/model/event.h"

namespace chirp::events {

struct Notification {
  UserNumber user;  // who is told
  Sequence sequence;
  // kFollowAdded, kReactionSet, kCommentCreated, kRepostCreated or kMentionCreated
  Topic topic = Topic::kFollowAdded;
  Time time;
  UserNumber actor;
  PostId post{};        // of repost.created the repost, else the post it is about
  CommentId comment{};  // of comment.created; of a like of, or a mention in, a comment
  CommentId parent{};   // of comment.created: what it replies to

  bool operator==(const Notification&) const = default;
};

// What clients call a notification: the event's sequence in the high bits, and a digest of what
// happened in the low ones. A restored backup may have another event of that number, so a mark or a
// cursor from before finds nothing there. Ids rise with the sequence.
using NotificationId = StrongId<struct NotificationIdTag, std::uint64_t>;
[[nodiscard]] NotificationId id_of(const Notification& notification);
[[nodiscard]] Sequence sequence_in(NotificationId id);

// Nobody is told of what they do themselves, of another type of a reaction, or of a load.
// `parent_author` is who wrote what a comment replies to; kNobody if it is no reply, or if that
// comment is gone.
[[nodiscard]] std::vector<Notification> notifications_of(const Event& event,
                                                         UserNumber parent_author);

}  // namespace chirp::events
