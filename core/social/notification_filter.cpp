#include "core/social/notification_filter.h"

#include <algorithm>

#include "core/events/consumers.h"
#include "core/events/notifications_of.h"
#include "core/ports/reads.h"

namespace chirp::social {
namespace {

using events::Notification;
using events::Topic;

constexpr std::uint32_t kStoredBlock = 256;
constexpr std::uint32_t kPendingBlock = 4096;

// Equal for notifications to one user about the same act (events::is_same_act()).
Act act_of(const Notification& one) { return {one.topic, one.actor, one.post, one.comment}; }

}  // namespace

std::vector<Notification> pending_notifications(const ContentReader& snapshot, Sequence end,
                                                const std::function<bool(UserNumber)>& is_wanted) {
  static const events::Bindings kBindings(events::NotificationConsumer::kBindings);
  std::vector<Notification> result;
  events::NewNotifications pending(snapshot);
  for (Sequence from = snapshot.state().notifications; from < end;) {
    const events::Inbox inbox = events::take_in(snapshot, from, kPendingBlock, kBindings);
    for (const Notification& one : pending.next(inbox.events, is_wanted)) {
      if (one.sequence < end) result.push_back(one);
    }
    if (inbox.next == from) break;
    from = inbox.next;
  }
  return result;
}

NotificationWalk::NotificationWalk(const ContentReader& snapshot, UserNumber user, Sequence before)
    : snapshot_(snapshot),
      user_(user),
      before_(before),
      block_(
          pending_notifications(snapshot, before, [&](UserNumber told) { return told == user; })) {
  std::reverse(block_.begin(), block_.end());
}

std::optional<Notification> NotificationWalk::next() {
  if (at_ == block_.size()) {
    const Sequence below = std::min(before_, snapshot_.state().notifications);
    block_ = reads::notifications(snapshot_, user_, below, kStoredBlock);
    at_ = 0;
    if (block_.empty()) return std::nullopt;
    before_ = block_.back().sequence;
  }
  return block_[at_++];
}

NotificationFilter::NotificationFilter(const ContentReader& snapshot, UserNumber user)
    : snapshot_(snapshot),
      user_(user),
      visibility_(snapshot, Viewer::user(user)),
      read_to_(reads::reading(snapshot, user).notified) {}

std::optional<NotificationView> NotificationFilter::view(const Notification& notification) {
  if (!is_welcome(notification.actor)) return std::nullopt;
  NotificationView view;
  view.id = notification.sequence;
  view.public_id = id_of(notification);
  view.created_at = notification.time;
  view.state = notification.sequence > read_to_ ? ReadState::kUnread : ReadState::kRead;
  view.actor = *visibility_.card(notification.actor);
  return holds(notification, view) ? std::optional(std::move(view)) : std::nullopt;
}

// Present, and neither blocked nor muted.
bool NotificationFilter::is_welcome(UserNumber actor) {
  if (visibility_.card(actor) == nullptr) return false;
  const auto [at, fresh] = bonds_.try_emplace(actor);
  if (fresh) at->second = snapshot_.bonds(user_, {&actor, 1}).front();
  return !at->second.severed() && !at->second.mutes;
}

bool NotificationFilter::holds(const Notification& notification, NotificationView& view) {
  switch (notification.topic) {
    case Topic::kFollowAdded: {
      view.kind = NotificationKind::kFollow;
      const auto since = reads::follows(snapshot_, notification.actor, user_);
      return since && is_given(notification, *since);
    }
    case Topic::kReactionSet:
      view.kind = NotificationKind::kLike;
      return liked(notification, view);
    case Topic::kCommentCreated:
      return commented(notification, view);
    case Topic::kRepostCreated:
      view.kind = NotificationKind::kRepost;
      return reposted(notification, view);
    case Topic::kMentionCreated:
      view.kind = NotificationKind::kMention;
      return mentioned(notification, view);
    default:
      return false;
  }
}

bool NotificationFilter::liked(const Notification& notification, NotificationView& view) {
  const bool is_comment = notification.comment != kNoComment;
  const ContentId content =
      is_comment ? content_of(notification.comment) : content_of(notification.post);
  const auto reaction = snapshot_.find(tables::Reactions::Key{content, notification.actor});
  // A loaded reaction has no event, so it is older than every notification.
  if (!reaction || reaction->event < notification.sequence) return false;
  if (!is_given(notification, reaction->since)) return false;
  if (is_comment) return about_comment(notification, user_, view);
  if (!about_post(notification.post, view)) return false;
  view.reaction = reaction->type;
  return true;
}

bool NotificationFilter::commented(const Notification& notification, NotificationView& view) {
  if (!about_comment(notification, notification.actor, view)) return false;
  const auto post = visibility_.post(notification.post);
  const auto parent = comment(notification.parent);
  const bool is_reply = parent && parent->author == user_;
  view.kind = is_reply ? NotificationKind::kReply : NotificationKind::kComment;
  return is_reply || post->post.author == user_;
}

bool NotificationFilter::reposted(const Notification& notification, NotificationView& view) {
  const auto post = visibility_.post(notification.post);
  if (!post) return false;
  // Earlier versions named the repost.
  if (post->original) return about_post(post->original->id, view);
  const auto found = snapshot_.find(tables::RepostsOf::Key{notification.post, notification.actor});
  const auto repost = found ? visibility_.post(*found) : std::nullopt;
  return repost && is_given(notification, repost->post.created_at) &&
         about_post(notification.post, view);
}

bool NotificationFilter::mentioned(const Notification& notification, NotificationView& view) {
  if (notification.comment != kNoComment)
    return about_comment(notification, notification.actor, view);
  return about_post(notification.post, view);
}

bool NotificationFilter::about_post(PostId id, NotificationView& view) {
  const auto post = visibility_.post(id);
  if (!post) return false;
  view.post = id;
  view.text = post->post.text;
  return true;
}

// False unless the comment is by `author`, and it and its post are visible.
bool NotificationFilter::about_comment(const Notification& notification, UserNumber author,
                                       NotificationView& view) {
  const auto found = comment(notification.comment);
  if (!found || found->author != author) return false;
  const auto post = visibility_.post(notification.post);
  if (!post || !visibility_.sees_comment(*found, post->post.author)) return false;
  view.post = notification.post;
  view.comment = notification.comment;
  view.text = found->text;
  return true;
}

std::optional<Comment> NotificationFilter::comment(CommentId id) const {
  if (id == kNoComment) return std::nullopt;
  auto found = reads::comments(snapshot_, {&id, 1});
  if (!found.front() || found.front()->state != CommentState::kThere) return std::nullopt;
  return std::move(found.front());
}

// Whether the notification is about the act made at `since`, which may be a repeat of a withdrawn
// act.
bool NotificationFilter::is_given(const Notification& notification, Time since) {
  if (since == notification.time) return true;
  return events::is_within_a_day(since, notification.time) && is_newest_of_act(notification);
}

bool NotificationFilter::is_newest_of_act(const Notification& notification) {
  if (!walk_) walk_.emplace(snapshot_, user_, kAboveAllEvents);
  while (!walked_to_ || *walked_to_ > notification.sequence) {
    const auto one = walk_->next();
    walked_to_ = one ? one->sequence : Sequence{0};
    if (one && events::can_be_repeated(*one)) newest_acts_.try_emplace(act_of(*one), one->sequence);
  }
  const auto newest = newest_acts_.find(act_of(notification));
  return newest != newest_acts_.end() && newest->second == notification.sequence;
}

std::uint64_t unread_of(const ContentReader& snapshot, UserNumber user,
                        NotificationFilter& filter) {
  std::uint64_t unread = 0;
  NotificationWalk walk(snapshot, user, kAboveAllEvents);
  while (const auto notification = walk.next()) {
    if (notification->sequence <= filter.read_to()) break;
    if (filter.view(*notification)) ++unread;
  }
  return unread;
}

}  // namespace chirp::social
