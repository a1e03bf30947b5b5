// Notifications against their events or, if the log no longer has the event, against the state.
#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/events/notifications_of.h"
#include "core/limits.h"
#include "core/ports/reads.h"
#include "core/rules/writing.h"

namespace chirp::doctor {
namespace {

using events::Event;
using events::Notification;
using events::Topic;

constexpr Sequence kAboveAll{~std::uint64_t{0}};

// Receives rows that are wrong, and rows that are missing.
struct Differences {
  std::function<void(const Notification&, std::string_view why)> wrong;
  std::function<void(const Notification&)> missing;
};

// Checks a notification whose event has left the log against the state. Its target may be gone too,
// and then nothing can be checked.
class StateCheck {
 public:
  StateCheck(const Snapshot& snapshot, PostId last_id) : snapshot_(snapshot), last_id_(last_id) {}

  [[nodiscard]] std::string_view objection(const Notification& notification) const {
    if (!is_whole(notification)) return "is not a valid notification";
    if (notification.actor == notification.user) return "is about the user's own action";
    if (!snapshot_.find(tables::Cards::Key{notification.actor}))
      return "is by a user who never existed";
    return fits(notification) ? std::string_view{} : "does not match what it refers to";
  }

 private:
  [[nodiscard]] bool is_minted(std::uint64_t id) const {
    return id != 0 && snowflake::ticks(id) <= snowflake::ticks(last_id_.value);
  }

  [[nodiscard]] bool is_whole(const Notification& notification) const {
    const bool has_post = is_minted(notification.post.value);
    const bool has_comment = is_minted(notification.comment.value);
    const bool no_comment = notification.comment == kNoComment;
    const bool no_parent = notification.parent == kNoComment;
    switch (notification.topic) {
      case Topic::kFollowAdded:
        return notification.post == PostId{} && no_comment && no_parent;
      case Topic::kRepostCreated:
        return has_post && no_comment && no_parent;
      case Topic::kReactionSet:
      case Topic::kMentionCreated:
        return has_post && (has_comment || no_comment) && no_parent;
      case Topic::kCommentCreated:
        return has_post && has_comment && (is_minted(notification.parent.value) || no_parent);
      default:
        return false;
    }
  }

  [[nodiscard]] bool fits(const Notification& notification) const {
    switch (notification.topic) {
      case Topic::kRepostCreated: {
        const auto post = snapshot_.post(notification.post);
        if (!post || !post->is_repost()) return !post || post->author == notification.user;
        // Earlier versions named the repost.
        return post->author == notification.actor && is_of(post->original, notification.user);
      }
      case Topic::kReactionSet:
        return notification.comment == kNoComment ? is_of(notification.post, notification.user)
                                                  : is_comment(notification, notification.user);
      case Topic::kMentionCreated:
        return notification.comment == kNoComment ? is_of(notification.post, notification.actor)
                                                  : is_comment(notification, notification.actor);
      case Topic::kCommentCreated:
        return is_comment(notification, notification.actor) && concerns(notification);
      default:
        return true;
    }
  }

  [[nodiscard]] bool is_of(PostId id, UserNumber author) const {
    const auto post = snapshot_.post(id);
    return !post || (!post->is_repost() && post->author == author);
  }

  [[nodiscard]] std::optional<Comment> comment(CommentId id) const {
    if (id == kNoComment) return std::nullopt;
    auto found = reads::comments(snapshot_, {&id, 1});
    if (!found.front() || found.front()->state == CommentState::kRemoved) return std::nullopt;
    return std::move(found.front());
  }

  [[nodiscard]] bool is_comment(const Notification& notification, UserNumber author) const {
    const auto found = comment(notification.comment);
    return !found || (found->author == author && found->post == notification.post);
  }

  // A comment notifies the author of the post and the author of the comment that it replies to.
  [[nodiscard]] bool concerns(const Notification& notification) const {
    const auto post = snapshot_.post(notification.post);
    if (!post || post->author == notification.user) return true;
    if (notification.parent == kNoComment) return false;
    const auto parent = comment(notification.parent);
    return !parent || parent->author == notification.user;
  }

  const Snapshot& snapshot_;
  PostId last_id_;
};

// Checks the stored rows, user by user.
class StoredRows {
 public:
  StoredRows(Walk& walk, const Differences& differences)
      : walk_(walk), snapshot_(walk.snapshot()), differences_(differences) {
    read_state();
  }

  // Returns the number of rows.
  std::uint64_t compare() {
    std::uint64_t count = 0;
    Notification last{};
    for (;;) {
      const auto rows =
          reads::rows_above<tables::Notifications>(snapshot_, {last.user, last.sequence}, kBlock);
      for (const Notification& notification : rows) {
        if (notification.user != user_) enter(notification.user);
        ++of_user_;
        const std::string_view why =
            is_here_ ? objection(notification) : "is for a user who does not exist";
        if (!why.empty()) differences_.wrong(notification, why);
      }
      count += rows.size();
      if (rows.empty()) break;
      last = rows.back();
      if (!walk_.rest(rows.size())) continue;
      read_state();
      look_at_user();
    }
    enter(kNobody);
    return count;
  }

 private:
  void read_state() {
    state_ = snapshot_.state();
    state_check_.emplace(snapshot_, state_.last_id);
    removals_ = reads::unfinished_removals(snapshot_);
    std::sort(removals_.begin(), removals_.end());
  }

  void enter(UserNumber user) {
    if (of_user_ > limits::kNotificationsKept) find_surplus();
    user_ = user;
    of_user_ = 0;
    look_at_user();
  }

  void look_at_user() {
    const auto card = snapshot_.find(tables::Cards::Key{user_});
    is_here_ = card && (card->presence != Presence::kRemoved ||
                        std::binary_search(removals_.begin(), removals_.end(), user_));
  }

  // In one state, because the rows are counted.
  void find_surplus() {
    const auto all = reads::notifications(snapshot_, user_, kAboveAll, ~std::uint32_t{0});
    for (std::size_t i = limits::kNotificationsKept; i < all.size(); ++i) {
      differences_.wrong(all[i], "is over the limit of kept notifications");
    }
  }

  [[nodiscard]] std::string_view objection(const Notification& notification) const {
    if (notification.sequence >= state_.notifications) return "was made before its event was read";
    if (notification.sequence >= state_.log_first) {
      const auto events = reads::events(snapshot_, notification.sequence, 1);
      // A gap in the log is reported elsewhere.
      if (!events.empty() && events.front().sequence == notification.sequence) {
        return follows_from(events.front(), notification) ? std::string_view{}
                                                          : "does not match its event";
      }
    }
    return state_check_->objection(notification);
  }

  // The author of a missing parent comment is unknown, so it may have been this user.
  [[nodiscard]] bool follows_from(const Event& event, const Notification& notification) const {
    UserNumber parent_author = kNobody;
    if (event.parent != kNoComment) {
      const auto parent = snapshot_.find(tables::Comments::Key{event.parent});
      const bool is_known = parent && parent->author != kNobody;
      parent_author = is_known ? parent->author : notification.user;
    }
    auto due = notifications_of(event, parent_author);
    if (event.topic == Topic::kRepostCreated && notification.post == event.post) {
      for (Notification& one : due) one.post = event.post;  // the form of earlier versions
    }
    return std::find(due.begin(), due.end(), notification) != due.end();
  }

  Walk& walk_;
  const Snapshot& snapshot_;
  const Differences& differences_;
  StoreState state_;
  std::optional<StateCheck> state_check_;
  std::vector<UserNumber> removals_;  // ascending
  UserNumber user_ = kNobody;
  std::uint64_t of_user_ = 0;  // rows read, perhaps in several states
  bool is_here_ = false;
};

// Walks the processed events, oldest first, and looks for their notifications. An act repeated
// within a day makes none. Earlier versions made one, which may still be stored.
class DueRows {
 public:
  // If given, checks only these `users`.
  DueRows(Walk& walk, const Differences& differences, const std::set<UserNumber>* users = nullptr)
      : walk_(walk), snapshot_(walk.snapshot()), differences_(differences), users_(users) {}

  // With several states, a finding may be true in none of them.
  void compare() {
    Sequence from{0};
    for (;;) {
      const StoreState state = snapshot_.state();
      from = std::max(from, state.log_first);
      if (from >= state.notifications) break;
      auto events = reads::events(snapshot_, from, kBlock);
      std::erase_if(events,
                    [&](const Event& event) { return event.sequence >= state.notifications; });
      if (events.empty()) break;
      from = Sequence{events.back().sequence.value + 1};
      auto due = notifications_of(snapshot_, events);
      if (users_ != nullptr) {
        std::erase_if(due, [&](const Notification& one) { return !users_->contains(one.user); });
      }
      look_at(due);
      walk_.rest(events.size());
    }
    for (auto& [user, lacking] : lacking_) report_old(lacking);
  }

 private:
  // A user with missing notifications: what is stored, and what was found missing so far.
  struct Lacking {
    std::uint64_t rows = 0;
    Sequence oldest{0};
    std::uint64_t missing = 0;          // missing ones newer than the oldest stored one
    std::deque<Notification> newest{};  // the newest missing ones, oldest first
    std::deque<Notification> older{};   // missing ones older than the stored ones, oldest first
  };

  void look_at(const std::vector<Notification>& due) {
    std::vector<UserNumber> users;
    for (const Notification& notification : due) users.push_back(notification.user);
    const auto cards = reads::cards(snapshot_, users);
    for (std::size_t i = 0; i < due.size(); ++i) {
      if (!cards[i] || cards[i]->presence == Presence::kRemoved) continue;
      if (!is_stored(due[i])) look_at_absent(due[i]);
    }
  }

  [[nodiscard]] bool is_stored(const Notification& notification) const {
    const auto found = reads::notifications(snapshot_, notification.user,
                                            Sequence{notification.sequence.value + 1}, 1);
    return !found.empty() && found.front().sequence == notification.sequence;
  }

  void look_at_absent(const Notification& notification) {
    const auto known = lacking_.find(notification.user);
    const bool is_alone = known == lacking_.end();
    if (is_given_again(notification, is_alone ? std::deque<Notification>{} : known->second.newest))
      return;
    Lacking& lacking = is_alone ? enter(notification.user) : known->second;
    lacking.newest.push_back(notification);
    if (lacking.newest.size() > events::kNotificationsCompared) lacking.newest.pop_front();
    if (notification.sequence > lacking.oldest) {
      ++lacking.missing;
      differences_.missing(notification);
    } else if (lacking.rows < limits::kNotificationsKept) {
      lacking.older.push_back(notification);
      if (lacking.older.size() > limits::kNotificationsKept - lacking.rows)
        lacking.older.pop_front();
    }
  }

  // `missing` has earlier missing notifications, oldest first.
  [[nodiscard]] bool is_given_again(const Notification& notification,
                                    const std::deque<Notification>& missing) const {
    if (!events::can_be_repeated(notification)) return false;
    std::vector<Notification> before = reads::notifications(
        snapshot_, notification.user, notification.sequence, events::kNotificationsCompared);
    before.insert(before.end(), missing.begin(), missing.end());
    std::sort(before.begin(), before.end(),
              [](const Notification& a, const Notification& b) { return a.sequence > b.sequence; });
    events::RecentNotifications recent;
    for (const Notification& one : before) recent.add_oldest(one);
    return recent.has_first_of(notification);
  }

  Lacking& enter(UserNumber user) {
    Lacking& lacking = lacking_[user];
    const auto rows = reads::notifications(snapshot_, user, kAboveAll, limits::kNotificationsKept);
    lacking.rows = rows.size();
    if (!rows.empty()) lacking.oldest = rows.back().sequence;
    return lacking;
  }

  // A user keeps only the newest ones, so an older one counts as missing only if there is room for
  // it.
  void report_old(const Lacking& lacking) {
    const std::uint64_t newer = lacking.rows + lacking.missing;
    const std::uint64_t room =
        limits::kNotificationsKept - std::min<std::uint64_t>(newer, limits::kNotificationsKept);
    const std::size_t gone = lacking.older.size() - std::min(lacking.older.size(), room);
    for (std::size_t i = gone; i < lacking.older.size(); ++i)
      differences_.missing(lacking.older[i]);
  }

  Walk& walk_;
  const Snapshot& snapshot_;
  const Differences& differences_;
  const std::set<UserNumber>* users_;
  std::map<UserNumber, Lacking> lacking_;
};

std::uint64_t compare(Walk& walk, const Storage& storage, const Differences& differences) {
  const std::uint64_t count = StoredRows(walk, differences).compare();
  std::set<UserNumber> users;  // users who may lack some
  const Differences seeming{{}, [&](const Notification& one) { users.insert(one.user); }};
  DueRows(walk, seeming).compare();
  if (users.empty()) return count;
  const auto snapshot = storage.snapshot();
  Walk again(*snapshot);
  DueRows(again, differences, &users).compare();
  return count;
}

}  // namespace

void check_notifications(const CheckInput& stores, Examination& exam) {
  const auto whose = [&](UserNumber user) {
    const auto card = stores.snapshot.find(tables::Cards::Key{user});
    return card ? who(*card) : fmt::format("user number {}", user.value);
  };
  const Differences differences{
      [&](const Notification& notification, std::string_view why) {
        exam.find(FindingKind::kNotification,
                  fmt::format("notification {} of {} {}", notification.sequence.value,
                              whose(notification.user), why),
                  notification.user);
      },
      [&](const Notification& notification) {
        exam.find(FindingKind::kNotification,
                  fmt::format("{} has no notification of event {}", whose(notification.user),
                              notification.sequence.value),
                  notification.user);
      }};
  exam.checked("notifications", compare(stores.walk, stores.storage, differences));
}

void repair_notifications(Storage& storage, Time now) {
  const auto snapshot = storage.snapshot();
  std::vector<Notification> wrong;
  std::vector<Notification> missing;
  const auto flush = [&](std::size_t from) {
    if (wrong.size() + missing.size() < from) return;
    rules::repair_notifications(storage, wrong, missing, now);
    wrong.clear();
    missing.clear();
  };
  const Differences differences{[&](const Notification& notification, std::string_view) {
                                  wrong.push_back(notification);
                                  flush(kRepairedAtOnce);
                                },
                                [&](const Notification& notification) {
                                  missing.push_back(notification);
                                  flush(kRepairedAtOnce);
                                }};
  Walk walk(*snapshot);
  compare(walk, storage, differences);
  flush(1);
}

}  // namespace chirp::doctor
