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
constexpr Sequence kAboveAll{~std::uint64_t{0}};

}  // namespace

ToldWalk::ToldWalk(const ContentReader& snapshot, UserNumber user, Sequence before)
    : snapshot_(snapshot), user_(user), before_(before) {
  static const events::Bindings kBindings(events::Notifications::kBindings);
  for (Sequence from = snapshot.state().notifications;;) {
    const events::Inbox inbox = events::take_in(snapshot, from, kPendingBlock, kBindings);
    for (Notification& one : notifications_of(snapshot, inbox.events)) {
      if (one.user == user && one.sequence < before) block_.push_back(one);
    }
    if (inbox.next == from) break;
    from = inbox.next;
  }
  std::reverse(block_.begin(), block_.end());
}

std::optional<Notification> ToldWalk::next() {
  if (at_ == block_.size()) {
    const Sequence below = std::min(before_, snapshot_.state().notifications);
    block_ = reads::notifications(snapshot_, user_, below, kStoredBlock);
    at_ = 0;
    if (block_.empty()) return std::nullopt;
    before_ = block_.back().sequence;
  }
  return block_[at_++];
}

ToldJudge::ToldJudge(const ContentReader& snapshot, UserNumber user)
    : snapshot_(snapshot),
      user_(user),
      sight_(snapshot, Viewer::user(user)),
      read_to_(reads::reading(snapshot, user).notified) {}

std::optional<NotificationView> ToldJudge::view(const Notification& told) {
  if (!is_welcome(told.actor)) return std::nullopt;
  NotificationView view;
  view.id = told.sequence;
  view.created_at = told.time;
  view.state = told.sequence > read_to_ ? ReadState::kUnread : ReadState::kRead;
  view.actor = *sight_.card(told.actor);
  return holds(told, view) ? std::optional(std::move(view)) : std::nullopt;
}

// Present, and neither blocked nor muted.
bool ToldJudge::is_welcome(UserNumber actor) {
  if (sight_.card(actor) == nullptr) return false;
  const auto [at, fresh] = bonds_.try_emplace(actor);
  if (fresh) at->second = snapshot_.bonds(user_, {&actor, 1}).front();
  return !at->second.severed() && !at->second.mutes;
}

bool ToldJudge::holds(const Notification& told, NotificationView& view) {
  switch (told.topic) {
    case Topic::kFollowAdded:
      view.kind = NotificationKind::kFollow;
      return reads::follows(snapshot_, told.actor, user_) == told.time && is_newest_follow(told);
    case Topic::kReactionSet:
      view.kind = NotificationKind::kLike;
      return liked(told, view);
    case Topic::kCommentCreated:
      return commented(told, view);
    case Topic::kRepostCreated:
      view.kind = NotificationKind::kRepost;
      return reposted(told, view);
    case Topic::kMentionCreated:
      view.kind = NotificationKind::kMention;
      return mentioned(told, view);
    default:
      return false;
  }
}

bool ToldJudge::liked(const Notification& told, NotificationView& view) {
  const bool is_comment = told.comment != kNoComment;
  const ContentId content = is_comment ? content_of(told.comment) : content_of(told.post);
  const auto reaction = snapshot_.find(tables::Reactions::Key{content, told.actor});
  if (!reaction || reaction->event != told.sequence) return false;
  if (is_comment) return about_comment(told, user_, view);
  if (!about_post(told.post, view)) return false;
  view.reaction = reaction->type;
  return true;
}

bool ToldJudge::commented(const Notification& told, NotificationView& view) {
  if (!about_comment(told, told.actor, view)) return false;
  const auto post = sight_.post(told.post);
  const auto parent = comment(told.parent);
  const bool is_reply = parent && parent->author == user_;
  view.kind = is_reply ? NotificationKind::kReply : NotificationKind::kComment;
  return is_reply || post->post.author == user_;
}

bool ToldJudge::reposted(const Notification& told, NotificationView& view) {
  const auto repost = sight_.post(told.post);
  return repost && repost->original && about_post(repost->original->id, view);
}

bool ToldJudge::mentioned(const Notification& told, NotificationView& view) {
  if (told.comment != kNoComment) return about_comment(told, told.actor, view);
  return about_post(told.post, view);
}

bool ToldJudge::about_post(PostId id, NotificationView& view) {
  const auto post = sight_.post(id);
  if (!post) return false;
  view.post = id;
  view.text = post->post.text;
  return true;
}

// A comment by `author` under a post that may be seen.
bool ToldJudge::about_comment(const Notification& told, UserNumber author, NotificationView& view) {
  const auto found = comment(told.comment);
  if (!found || found->author != author) return false;
  const auto post = sight_.post(told.post);
  if (!post || !sight_.sees_comment(*found, post->post.author)) return false;
  view.post = told.post;
  view.comment = told.comment;
  view.text = found->text;
  return true;
}

std::optional<Comment> ToldJudge::comment(CommentId id) const {
  if (id == kNoComment) return std::nullopt;
  auto found = reads::comments(snapshot_, {&id, 1});
  if (!found.front() || found.front()->state != CommentState::kThere) return std::nullopt;
  return std::move(found.front());
}

// Several follows of one moment share its time; the edge is the newest one's.
bool ToldJudge::is_newest_follow(const Notification& told) {
  if (!walk_) walk_.emplace(snapshot_, user_, kAboveAll);
  while (!walked_to_ || *walked_to_ > told.sequence) {
    const auto one = walk_->next();
    walked_to_ = one ? one->sequence : Sequence{0};
    if (one && one->topic == Topic::kFollowAdded) {
      newest_follows_.try_emplace({one->actor, one->time}, one->sequence);
    }
  }
  const auto newest = newest_follows_.find({told.actor, told.time});
  return newest != newest_follows_.end() && newest->second == told.sequence;
}

}  // namespace chirp::social
