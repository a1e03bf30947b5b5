#include "core/social/notifications.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "core/events/consumers.h"
#include "core/events/told.h"
#include "core/limits.h"

namespace chirp::social {
namespace {

using events::Notification;
using events::Topic;

constexpr std::uint32_t kBlock = 256;
constexpr Sequence kAboveAll{~std::uint64_t{0}};

// The user's notifications as they were made, newest first: those of the pending events, then the
// stored ones.
class Walk {
 public:
  Walk(const Snapshot& snapshot, UserNumber user, Sequence before)
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

  [[nodiscard]] std::optional<Notification> next() {
    if (at_ == block_.size()) {
      const Sequence below = std::min(before_, snapshot_.state().notifications);
      block_ = snapshot_.notifications(user_, below, kBlock);
      at_ = 0;
      if (block_.empty()) return std::nullopt;
      before_ = block_.back().sequence;
    }
    return block_[at_++];
  }

 private:
  static constexpr std::uint32_t kPendingBlock = 4096;

  const Snapshot& snapshot_;
  UserNumber user_;
  Sequence before_;
  std::vector<Notification> block_;
  std::size_t at_ = 0;
};

// Decides out of one state what still holds, for one user.
class Judge {
 public:
  Judge(const Snapshot& snapshot, UserNumber user)
      : snapshot_(snapshot),
        user_(user),
        sight_(snapshot, Viewer::user(user)),
        read_to_(snapshot.notified(user)) {}

  [[nodiscard]] Sequence read_to() const { return read_to_; }

  [[nodiscard]] std::optional<NotificationView> view(const Notification& told) {
    if (!is_welcome(told.actor)) return std::nullopt;
    NotificationView view;
    view.id = told.sequence;
    view.created_at = told.time;
    view.state = told.sequence > read_to_ ? ReadState::kUnread : ReadState::kRead;
    view.actor = *sight_.card(told.actor);
    return holds(told, view) ? std::optional(std::move(view)) : std::nullopt;
  }

 private:
  // Present, and neither blocked nor muted.
  bool is_welcome(UserNumber actor) {
    if (sight_.card(actor) == nullptr) return false;
    const auto [at, fresh] = bonds_.try_emplace(actor);
    if (fresh) at->second = snapshot_.bonds(user_, {&actor, 1}).front();
    return !at->second.severed() && !at->second.mutes;
  }

  // Fills in what it is about; false if it holds no more.
  bool holds(const Notification& told, NotificationView& view) {
    switch (told.topic) {
      case Topic::kFollowAdded:
        view.kind = NotificationKind::kFollow;
        return snapshot_.follows(told.actor, user_) == told.time && is_newest_follow(told);
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

  bool liked(const Notification& told, NotificationView& view) {
    const bool is_comment = told.comment != kNoComment;
    const ContentId content = is_comment ? content_of(told.comment) : content_of(told.post);
    const auto reaction = snapshot_.reactions_of(told.actor, {&content, 1}).front();
    if (!reaction || reaction->event != told.sequence) return false;
    if (is_comment) return about_comment(told, user_, view);
    if (!about_post(told.post, view)) return false;
    view.reaction = reaction->type;
    return true;
  }

  bool commented(const Notification& told, NotificationView& view) {
    if (!about_comment(told, told.actor, view)) return false;
    const auto post = sight_.post(told.post);
    const auto parent = comment(told.parent);
    const bool is_reply = parent && parent->author == user_;
    view.kind = is_reply ? NotificationKind::kReply : NotificationKind::kComment;
    return is_reply || post->post.author == user_;
  }

  bool reposted(const Notification& told, NotificationView& view) {
    const auto repost = sight_.post(told.post);
    return repost && repost->original && about_post(repost->original->id, view);
  }

  bool mentioned(const Notification& told, NotificationView& view) {
    if (told.comment != kNoComment) return about_comment(told, told.actor, view);
    return about_post(told.post, view);
  }

  bool about_post(PostId id, NotificationView& view) {
    const auto post = sight_.post(id);
    if (!post) return false;
    view.post = id;
    view.text = post->post.text;
    return true;
  }

  // A comment by `author` under a post that may be seen.
  bool about_comment(const Notification& told, UserNumber author, NotificationView& view) {
    const auto found = comment(told.comment);
    if (!found || found->author != author || !sight_.post(told.post)) return false;
    view.post = told.post;
    view.comment = told.comment;
    view.text = found->text;
    return true;
  }

  [[nodiscard]] std::optional<Comment> comment(CommentId id) const {
    if (id == kNoComment) return std::nullopt;
    auto found = snapshot_.comments({&id, 1});
    if (!found.front() || found.front()->state != CommentState::kThere) return std::nullopt;
    return std::move(found.front());
  }

  // Several follows of one moment share its time; the edge is the newest one's.
  bool is_newest_follow(const Notification& told) {
    if (newest_follows_.empty()) {
      Walk walk(snapshot_, user_, kAboveAll);
      while (const auto one = walk.next()) {
        if (one->topic == Topic::kFollowAdded) {
          newest_follows_.try_emplace({one->actor, one->time}, one->sequence);
        }
      }
    }
    return newest_follows_.at({told.actor, told.time}) == told.sequence;
  }

  const Snapshot& snapshot_;
  UserNumber user_;
  Sight sight_;
  Sequence read_to_;
  std::map<UserNumber, Bond> bonds_;
  std::map<std::pair<UserNumber, Time>, Sequence> newest_follows_;  // once one was asked for
};

std::uint64_t count_unread(const Snapshot& snapshot, UserNumber user, Judge& judge) {
  std::uint64_t unread = 0;
  Walk walk(snapshot, user, kAboveAll);
  while (const auto told = walk.next()) {
    if (told->sequence <= judge.read_to()) break;
    if (judge.view(*told)) ++unread;
  }
  return unread;
}

}  // namespace

std::string_view name(NotificationKind kind) {
  switch (kind) {
    case NotificationKind::kFollow:
      return "follow";
    case NotificationKind::kLike:
      return "like";
    case NotificationKind::kComment:
      return "comment";
    case NotificationKind::kReply:
      return "reply";
    case NotificationKind::kRepost:
      return "repost";
    case NotificationKind::kMention:
      return "mention";
  }
  return {};
}

NotificationPage notifications_in(const Snapshot& snapshot, const NotificationQuery& query) {
  if (query.limit < 1 || query.limit > limits::kPostPageMax) {
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("A page holds 1 to {} notifications, not {}.", limits::kPostPageMax,
                            query.limit),
                "limit");
  }
  NotificationPage page;
  Judge judge(snapshot, query.user);
  page.unread = count_unread(snapshot, query.user, judge);
  Walk walk(snapshot, query.user, query.before);
  while (const auto told = walk.next()) {
    if (query.wanted == Wanted::kUnread && told->sequence <= judge.read_to()) break;
    auto view = judge.view(*told);
    if (!view) continue;
    if (page.notifications.size() == query.limit) {
      page.next_cursor = page.notifications.back().id;
      break;
    }
    page.notifications.push_back(std::move(*view));
  }
  return page;
}

NotificationPage Notifications::list(std::string_view name, NotificationQuery query) const {
  query.user = accounts_.resolve(name).number;
  return notifications_in(*storage_.snapshot(), query);
}

std::uint64_t Notifications::read(std::string_view name, std::optional<Sequence> up_to) {
  const UserNumber user = accounts_.resolve(name).number;
  storage_.mark_notified(user, up_to.value_or(kAboveAll));
  const auto snapshot = storage_.snapshot();
  Judge judge(*snapshot, user);
  return count_unread(*snapshot, user, judge);
}

}  // namespace chirp::social
