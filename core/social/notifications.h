// Acts of others that concern a user.
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
  kLike,     // a reaction to a post or comment of the user's
  kComment,  // a comment under a post of the user's
  kReply,    // a reply to a comment of the user's
  kRepost,   // a repost of a post of the user's
  kMention,  // a mention in a post or comment
};

[[nodiscard]] std::string_view name(NotificationKind kind);

enum class ReadState : std::uint8_t { kUnread, kRead };

struct NotificationView {
  Sequence id;                       // the event's sequence
  events::NotificationId public_id;  // the id that clients see
  NotificationKind kind = NotificationKind::kFollow;
  Time created_at;
  ReadState state = ReadState::kUnread;
  AuthorCard actor;
  PostId post{};        // the post concerned, except for kFollow; never a repost
  CommentId comment{};  // kComment and kReply; likes of and mentions in a comment
  std::optional<ReactionType> reaction{};  // likes of a post
  std::string text{};  // text of the content liked, commented on, reposted or written
};

enum class WhichNotifications : std::uint8_t { kAll, kUnread };

struct NotificationQuery {
  UserNumber user;
  Sequence before{~std::uint64_t{0}};  // exclusive
  std::uint32_t limit = 20;            // 1 to limits::kPostPageMax
  WhichNotifications wanted = WhichNotifications::kAll;
};

struct NotificationPage {
  std::vector<NotificationView> notifications;        // newest first
  std::optional<events::NotificationId> next_cursor;  // empty at the end
  std::uint64_t unread = 0;                           // number of all unread notifications
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
