// What others did that concerns a user.
//
// The store keeps what happened. Whether a notification still applies is decided here, from the
// state that is read. Notifications are left out if their actor no longer follows, has withdrawn
// the reaction, comment or repost, is removed, or is muted or blocked (in either direction). So are
// those about content that the user may no longer see. An act repeated within a day is reported
// once (core/events/notifications_of.h). Events that the consumer has not processed yet are read
// from the log.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/notification.h"
#include "core/model/reaction.h"
#include "core/ports/storage.h"
#include "core/social/visibility.h"

namespace chirp::social {

enum class NotificationKind : std::uint8_t {
  kFollow,
  kLike,     // of a post or comment of the user's
  kComment,  // under a post of the user's
  kReply,    // to a comment of the user's
  kRepost,   // of a post of the user's
  kMention,  // in a post or comment
};

[[nodiscard]] std::string_view name(NotificationKind kind);

enum class ReadState : std::uint8_t { kUnread, kRead };

struct NotificationView {
  Sequence id;                       // the event's
  events::NotificationId public_id;  // the id that clients see
  NotificationKind kind = NotificationKind::kFollow;
  Time created_at;
  ReadState state = ReadState::kUnread;
  AuthorCard actor;
  PostId post{};        // of all but kFollow: what it is about; never a repost
  CommentId comment{};  // of kComment and kReply; of a like of, or a mention in, a comment
  std::optional<ReactionType> reaction{};  // of the like of a post
  std::string text{};  // of what was liked, commented on or reposted; of what was written
};

enum class Wanted : std::uint8_t { kAll, kUnread };

struct NotificationQuery {
  UserNumber user;
  Sequence before{~std::uint64_t{0}};  // exclusive
  std::uint32_t limit = 20;            // 1 to limits::kPostPageMax
  Wanted wanted = Wanted::kAll;
};

struct NotificationPage {
  std::vector<NotificationView> notifications;        // newest first
  std::optional<events::NotificationId> next_cursor;  // empty at the end
  std::uint64_t unread = 0;                           // in all
};

// Returns a full page unless it is the last. Throws Error{kInvalidArgument} for a limit out of
// range.
[[nodiscard]] NotificationPage notifications_in(const Snapshot& snapshot,
                                                const NotificationQuery& query);

class Notifications {
 public:
  explicit Notifications(Storage& storage) : storage_(storage) {}

  [[nodiscard]] NotificationPage list(const NotificationQuery& query) const {
    return notifications_in(*storage_.snapshot(), query);
  }
  // Marks everything up to and including `up_to` as read, or everything if it is empty. Does
  // nothing if `up_to` is not a notification of this user. Returns how many are left unread.
  std::uint64_t read(UserNumber user, std::optional<events::NotificationId> up_to);
  // Returns the event of one of the user's notifications, even if it no longer applies. Empty if
  // the id matches none, as with an id from another history.
  [[nodiscard]] std::optional<Sequence> find(UserNumber user, events::NotificationId id) const;

 private:
  Storage& storage_;
};

}  // namespace chirp::social
