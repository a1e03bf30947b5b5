#include "tests/support/naive_notices.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/model/entities.h"
#include "core/ports/reads.h"
#include "tests/support/storage_contract.h"

namespace chirp::test {
namespace {

using events::Event;
using events::Notification;
using events::Topic;

constexpr Sequence kEnd{~std::uint64_t{0}};

// The users to notify of an event, except for its actor.
struct Telling {
  std::set<UserNumber> users;
  bool anybody = false;  // the parent is gone, and may have been anybody's
};

Telling told_of(const Event& event, const std::map<CommentId, UserNumber>& authors) {
  Telling told;
  const bool tells = event.topic == Topic::kFollowAdded || event.topic == Topic::kRepostCreated ||
                     event.topic == Topic::kMentionCreated ||
                     event.topic == Topic::kCommentCreated ||
                     (event.topic == Topic::kReactionSet && !event.reaction_before);
  if (!tells) return told;
  told.users.insert(event.other);
  if (event.topic == Topic::kCommentCreated && event.parent != kNoComment) {
    const auto found = authors.find(event.parent);
    told.anybody = found == authors.end();
    if (!told.anybody) told.users.insert(found->second);
  }
  told.users.erase(event.actor);
  told.users.erase(kNobody);
  return told;
}

Notification row(const Event& event, UserNumber user) {
  const bool is_repost = event.topic == Topic::kRepostCreated;
  return {user,          event.sequence, event.topic,
          event.time,    event.actor,    is_repost ? event.original : event.post,
          event.comment, event.parent};
}

// Whether one of the newest 64 of `before` (of one user, oldest first) is about the same act, less
// than a day from it.
bool is_again(const Notification& one, const std::vector<Notification>& before) {
  if (one.topic != Topic::kFollowAdded && one.topic != Topic::kReactionSet &&
      one.topic != Topic::kRepostCreated) {
    return false;
  }
  for (std::size_t i = before.size(); i > 0 && before.size() - i < 64; --i) {
    const Notification& other = before[i - 1];
    if (other.topic == one.topic && other.actor == one.actor && other.post == one.post &&
        other.comment == one.comment && std::abs(other.time.ms - one.time.ms) < 86'400'000) {
      return true;
    }
  }
  return false;
}

class Reading {
 public:
  explicit Reading(const Snapshot& snapshot) : snapshot_(snapshot), state_(snapshot.state()) {
    for (const AuthorCard& card : reads::rows_above<tables::Cards>(snapshot, {kNobody}, kAll)) {
      if (card.presence != Presence::kRemoved) kept_.insert(card.number);
    }
    for (const Comment& comment :
         reads::rows_above<tables::Comments>(snapshot, {kNoComment}, kAll)) {
      if (comment.author != kNobody) authors_[comment.id] = comment.author;
    }
    for (const UserNumber user : reads::unfinished_removals(snapshot)) leaving_.insert(user);
  }

  // Returns the notifications of the events from `from` to before `to`, without repeated acts.
  // Rows stored before `from` count as earlier notifications.
  [[nodiscard]] std::vector<Notification> told_between(Sequence from, Sequence to) const {
    std::set<std::pair<UserNumber, Sequence>> stored;
    std::map<UserNumber, std::vector<Notification>> rows;
    for (const Notification& one :
         reads::rows_above<tables::Notifications>(snapshot_, {kNobody, Sequence{0}}, kAll)) {
      stored.insert({one.user, one.sequence});
      if (one.sequence < from) rows[one.user].push_back(one);
    }
    std::vector<Notification> told;
    for (const Event& event : reads::events(snapshot_, from, kAll)) {
      if (event.sequence >= to) break;
      Telling telling = told_of(event, authors_);
      // If the parent comment is gone, only the stored row says who its author was.
      for (const UserNumber user : telling.anybody ? kept_ : std::set<UserNumber>{}) {
        if (stored.contains({user, event.sequence})) telling.users.insert(user);
      }
      for (const UserNumber user : telling.users) {
        const Notification one = row(event, user);
        if (is_again(one, rows[user])) continue;
        rows[user].push_back(one);
        told.push_back(one);
      }
    }
    return told;
  }

  std::vector<std::string> breaches() {
    notifications();
    hashtags();
    return std::move(breaches_);
  }

 private:
  template <class... Args>
  void report(fmt::format_string<Args...> format, Args&&... args) {
    breaches_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void notifications() {
    std::map<std::pair<UserNumber, Sequence>, Notification> stored;
    for (const Notification& one :
         reads::rows_above<tables::Notifications>(snapshot_, {kNobody, Sequence{0}}, kAll)) {
      stored[{one.user, one.sequence}] = one;
      if (!kept_.contains(one.user) && !leaving_.contains(one.user)) {
        report("{}: notified of {}, and is gone", one.user.value, one.sequence.value);
      }
      if (one.sequence >= state_.notifications) {
        report("{}: notified of {} too early", one.user.value, one.sequence.value);
      }
    }
    std::set<std::pair<UserNumber, Sequence>> wanted;
    for (const Notification& due : told_between(state_.log_first, state_.notifications)) {
      wanted.insert({due.user, due.sequence});
      if (kept_.contains(due.user) && !stored.contains({due.user, due.sequence})) {
        report("{}: not notified of {}", due.user.value, due.sequence.value);
      }
    }
    std::map<Sequence, Event> events;
    for (const Event& event : reads::events(snapshot_, state_.log_first, kAll)) {
      events[event.sequence] = event;
    }
    for (const auto& [key, one] : stored) {
      const auto event = events.find(one.sequence);
      if (event == events.end()) continue;
      const Telling told = told_of(event->second, authors_);
      const bool meant = told.anybody || (told.users.contains(one.user) &&
                                          (wanted.contains(key) || !kept_.contains(one.user)));
      Notification due = row(event->second, one.user);
      // Earlier versions named the repost.
      if (one.topic == Topic::kRepostCreated && one.post == event->second.post) due.post = one.post;
      if (meant && one.user != one.actor && one == due) continue;
      report("{}: notified of {}, wrongly", one.user.value, one.sequence.value);
    }
  }

  // Posts that hold back nothing: as young as any tag that is kept, by the newest id.
  void hashtags() {
    std::map<PostId, TaggedPost> stored;
    for (TaggedPost& post : reads::tagged_posts(snapshot_, kAboveAllPosts, kAll)) {
      stored.emplace(post.post, std::move(post));
    }
    std::set<PostId> pending;
    for (const Event& event : reads::events(snapshot_, state_.trends, kAll))
      pending.insert(event.post);
    const Time since{snowflake::time_of(state_.last_id.value).ms - kTagsKeptMs};
    std::size_t found = 0;
    for (const Post& post : reads::rows_above<tables::Posts>(snapshot_, {kBelowAllPosts}, kAll)) {
      const bool open = post.privacy == Privacy::kPublic && !post.is_repost();
      const auto tags = open ? tags_in(post.text) : std::vector<std::string>{};
      const auto at = stored.find(post.id);
      if (at != stored.end()) {
        ++found;
        if (at->second == TaggedPost{post.id, post.author, tags}) continue;
        report("post {}: other hashtags than its text", post.id.value);
      } else if (!tags.empty() && kept_.contains(post.author) && !pending.contains(post.id) &&
                 !stored.empty() && post.id > stored.begin()->first &&
                 snowflake::time_of(post.id.value) >= since) {
        report("post {}: no hashtags", post.id.value);
      }
    }
    if (found != stored.size()) report("hashtags of posts that are not there");
  }

  const Snapshot& snapshot_;
  StoreState state_;
  std::set<UserNumber> kept_;
  std::set<UserNumber> leaving_;
  std::map<CommentId, UserNumber> authors_;
  std::vector<std::string> breaches_;
};

}  // namespace

NotificationStep naive_notification_step(const Snapshot& snapshot) {
  const StoreState state = snapshot.state();
  NotificationStep step{state.notifications, state.log_end, {}};
  step.notifications = Reading(snapshot).told_between(state.notifications, kEnd);
  std::sort(step.notifications.begin(), step.notifications.end(),
            [](const Notification& a, const Notification& b) {
              return std::tie(a.user, a.sequence) < std::tie(b.user, b.sequence);
            });
  return step;
}

TrendStep naive_trend_step(const Snapshot& snapshot, Time now) {
  const StoreState state = snapshot.state();
  TrendStep step{state.trends, state.log_end, {}, Time{now.ms - kTagsKeptMs}, 100};
  for (const Event& event : reads::events(snapshot, state.trends, kAll)) {
    if (event.topic != Topic::kPostCreated || event.privacy != Privacy::kPublic) continue;
    if (snowflake::time_of(event.post.value) < step.since) continue;
    const auto post = snapshot.post(event.post);
    if (!post) continue;
    auto tags = tags_in(post->text);
    if (!tags.empty()) step.posts.push_back({post->id, post->author, std::move(tags)});
  }
  return step;
}

std::vector<std::string> notice_breaches(const Snapshot& snapshot) {
  return Reading(snapshot).breaches();
}

}  // namespace chirp::test
