// Notifications against the events that they came from, and against the state where the log has let
// go of the event.
#include <algorithm>
#include <functional>
#include <map>
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

// What is found: rows that should not be as they are, and those that should be and are not.
struct Differences {
  std::function<void(const Notification&, std::string_view why)> wrong;
  std::function<void(const Notification&)> missing;
};

// What the state alone says against a notification whose event is gone. What it is about may be
// gone, too; nothing is held against it then.
class Witness {
 public:
  Witness(const Snapshot& snapshot, PostId last_id) : snapshot_(snapshot), last_id_(last_id) {}

  [[nodiscard]] std::string_view objection(const Notification& told) const {
    if (!is_whole(told)) return "is no notification";
    if (told.actor == told.user) return "is of what they did themselves";
    if (!snapshot_.find(tables::Cards::Key{told.actor})) return "is of somebody who never was";
    return fits(told) ? std::string_view{} : "is not about what it says";
  }

 private:
  [[nodiscard]] bool is_minted(std::uint64_t id) const {
    return id != 0 && snowflake::ticks(id) <= snowflake::ticks(last_id_.value);
  }

  [[nodiscard]] bool is_whole(const Notification& told) const {
    const bool has_post = is_minted(told.post.value);
    const bool has_comment = is_minted(told.comment.value);
    const bool no_comment = told.comment == kNoComment;
    const bool no_parent = told.parent == kNoComment;
    switch (told.topic) {
      case Topic::kFollowAdded:
        return told.post == PostId{} && no_comment && no_parent;
      case Topic::kRepostCreated:
        return has_post && no_comment && no_parent;
      case Topic::kReactionSet:
      case Topic::kMentionCreated:
        return has_post && (has_comment || no_comment) && no_parent;
      case Topic::kCommentCreated:
        return has_post && has_comment && (is_minted(told.parent.value) || no_parent);
      default:
        return false;
    }
  }

  [[nodiscard]] bool fits(const Notification& told) const {
    switch (told.topic) {
      case Topic::kRepostCreated: {
        const auto repost = snapshot_.post(told.post);
        return !repost || (repost->is_repost() && repost->author == told.actor &&
                           is_of(repost->original, told.user));
      }
      case Topic::kReactionSet:
        return told.comment == kNoComment ? is_of(told.post, told.user)
                                          : is_comment(told, told.user);
      case Topic::kMentionCreated:
        return told.comment == kNoComment ? is_of(told.post, told.actor)
                                          : is_comment(told, told.actor);
      case Topic::kCommentCreated:
        return is_comment(told, told.actor) && concerns(told);
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

  [[nodiscard]] bool is_comment(const Notification& told, UserNumber author) const {
    const auto found = comment(told.comment);
    return !found || (found->author == author && found->post == told.post);
  }

  // A comment is told to the author of the post and to that of the comment it replies to.
  [[nodiscard]] bool concerns(const Notification& told) const {
    const auto post = snapshot_.post(told.post);
    if (!post || post->author == told.user) return true;
    if (told.parent == kNoComment) return false;
    const auto parent = comment(told.parent);
    return !parent || parent->author == told.user;
  }

  const Snapshot& snapshot_;
  PostId last_id_;
};

// Goes over what is stored, user by user.
class StoredRows {
 public:
  StoredRows(const Snapshot& snapshot, const StoreState& state, const Differences& differences)
      : snapshot_(snapshot),
        state_(state),
        differences_(differences),
        witness_(snapshot, state.last_id),
        removals_(reads::unfinished_removals(snapshot)) {
    std::sort(removals_.begin(), removals_.end());
  }

  // How many there are.
  std::uint64_t compare() {
    std::uint64_t count = 0;
    Notification last{};
    for (;;) {
      const auto rows =
          reads::rows_above<tables::Notifications>(snapshot_, {last.user, last.sequence}, kBlock);
      for (const Notification& told : rows) {
        if (told.user != user_) enter(told.user);
        ++of_user_;
        const std::string_view why = is_here_ ? objection(told) : "is of a user who is not there";
        if (!why.empty()) differences_.wrong(told, why);
      }
      count += rows.size();
      if (rows.empty()) break;
      last = rows.back();
    }
    enter(kNobody);
    return count;
  }

 private:
  void enter(UserNumber user) {
    if (of_user_ > limits::kNotificationsKept) {
      const auto surplus = static_cast<std::uint32_t>(of_user_ - limits::kNotificationsKept);
      for (const Notification& old :
           reads::rows_above<tables::Notifications>(snapshot_, {user_, Sequence{0}}, surplus)) {
        differences_.wrong(old, "is one more than are kept");
      }
    }
    user_ = user;
    of_user_ = 0;
    const auto card = snapshot_.find(tables::Cards::Key{user});
    is_here_ = card && (card->presence == Presence::kPresent ||
                        std::binary_search(removals_.begin(), removals_.end(), user));
  }

  [[nodiscard]] std::string_view objection(const Notification& told) const {
    if (told.sequence >= state_.notifications) return "was made before its event was taken in";
    if (told.sequence >= state_.log_first) {
      const auto events = reads::events(snapshot_, told.sequence, 1);
      // A gap in the log is a finding of its own.
      if (!events.empty() && events.front().sequence == told.sequence) {
        return follows_from(events.front(), told) ? std::string_view{}
                                                  : "is not what its event says";
      }
    }
    return witness_.objection(told);
  }

  // A parent that is gone may have been anybody's.
  [[nodiscard]] bool follows_from(const Event& event, const Notification& told) const {
    UserNumber parent_author = kNobody;
    if (event.parent != kNoComment) {
      const auto parent = snapshot_.find(tables::Comments::Key{event.parent});
      const bool is_known = parent && parent->author != kNobody;
      parent_author = is_known ? parent->author : told.user;
    }
    const auto due = notifications_of(event, parent_author);
    return std::find(due.begin(), due.end(), told) != due.end();
  }

  const Snapshot& snapshot_;
  const StoreState& state_;
  const Differences& differences_;
  Witness witness_;
  std::vector<UserNumber> removals_;  // ascending
  UserNumber user_ = kNobody;
  std::uint64_t of_user_ = 0;
  bool is_here_ = false;
};

// Goes back over the events that have been taken in, for what they should have left.
class DueRows {
 public:
  DueRows(const Snapshot& snapshot, const StoreState& state, const Differences& differences)
      : snapshot_(snapshot), state_(state), differences_(differences) {}

  void compare() {
    for (Sequence end = state_.notifications; end > state_.log_first;) {
      const Sequence begin{
          std::max(state_.log_first.value, end.value - std::min<std::uint64_t>(end.value, kBlock))};
      auto events =
          reads::events(snapshot_, begin, static_cast<std::uint32_t>(end.value - begin.value));
      std::erase_if(events, [&](const Event& event) { return event.sequence >= end; });
      look_at(notifications_of(snapshot_, events));
      end = begin;
    }
  }

 private:
  // What is stored of one user, and what was found to be missing so far.
  struct Kept {
    std::uint64_t rows = 0;
    Sequence oldest{0};
    std::uint64_t missing = 0;
  };

  void look_at(const std::vector<Notification>& due) {
    std::vector<UserNumber> users;
    for (const Notification& told : due) users.push_back(told.user);
    const auto cards = reads::cards(snapshot_, users);
    for (std::size_t i = due.size(); i-- > 0;) {
      if (!cards[i] || cards[i]->presence == Presence::kRemoved) continue;
      if (!is_stored(due[i]) && !has_gone(due[i])) differences_.missing(due[i]);
    }
  }

  [[nodiscard]] bool is_stored(const Notification& told) const {
    const auto found =
        reads::notifications(snapshot_, told.user, Sequence{told.sequence.value + 1}, 1);
    return !found.empty() && found.front().sequence == told.sequence;
  }

  // Whether so many newer ones are kept that this one has given way.
  bool has_gone(const Notification& told) {
    const auto [at, is_new] = kept_.try_emplace(told.user);
    Kept& kept = at->second;
    if (is_new) {
      const auto rows =
          reads::notifications(snapshot_, told.user, kAboveAll, limits::kNotificationsKept);
      kept.rows = rows.size();
      if (!rows.empty()) kept.oldest = rows.back().sequence;
    }
    if (told.sequence < kept.oldest && kept.rows + kept.missing >= limits::kNotificationsKept) {
      return true;
    }
    ++kept.missing;
    return false;
  }

  const Snapshot& snapshot_;
  const StoreState& state_;
  const Differences& differences_;
  std::map<UserNumber, Kept> kept_;  // of those who lack one
};

std::uint64_t compare(const Snapshot& snapshot, const StoreState& state,
                      const Differences& differences) {
  const std::uint64_t count = StoredRows(snapshot, state, differences).compare();
  DueRows(snapshot, state, differences).compare();
  return count;
}

}  // namespace

void check_notifications(const Patient& patient, Examination& exam) {
  const auto whose = [&](UserNumber user) {
    const auto card = patient.snapshot.find(tables::Cards::Key{user});
    return card ? who(*card) : fmt::format("user number {}", user.value);
  };
  const Differences differences{
      [&](const Notification& told, std::string_view why) {
        exam.find(
            Kind::kNotification,
            fmt::format("notification {} of {} {}", told.sequence.value, whose(told.user), why),
            told.user);
      },
      [&](const Notification& told) {
        exam.find(Kind::kNotification,
                  fmt::format("{} is not told of event {}", whose(told.user), told.sequence.value),
                  told.user);
      }};
  exam.checked("notifications", compare(patient.snapshot, patient.state, differences));
}

void mend_notifications(Storage& storage, Time now) {
  const auto snapshot = storage.snapshot();
  std::vector<Notification> wrong;
  std::vector<Notification> missing;
  const auto flush = [&](std::size_t from) {
    if (wrong.size() + missing.size() < from) return;
    rules::repair_notifications(storage, wrong, missing, now);
    wrong.clear();
    missing.clear();
  };
  const Differences differences{[&](const Notification& told, std::string_view) {
                                  wrong.push_back(told);
                                  flush(kBlock);
                                },
                                [&](const Notification& told) {
                                  missing.push_back(told);
                                  flush(kBlock);
                                }};
  compare(*snapshot, snapshot->state(), differences);
  flush(1);
}

}  // namespace chirp::doctor
