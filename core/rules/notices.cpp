// Steps of the smaller consumers: counters, notifications, hashtags.
#include <algorithm>

#include "core/model/entities.h"
#include "core/rules/content.h"
#include "core/rules/counters.h"
#include "core/rules/steps.h"

namespace chirp::rules {

using namespace tables;
using events::Notification;

namespace {

constexpr Sequence kFirst{0};
constexpr Sequence kLast{std::numeric_limits<std::uint64_t>::max()};

Readers::Row reader_of(const Rows& rows, UserNumber user) {
  return rows.find(Readers::Key{user}).value_or(Readers::Row{});
}

// Removes the user's oldest notifications, at most `count`. Returns how many.
std::uint32_t erase_oldest(Rows& rows, UserNumber user, std::uint32_t count) {
  const auto oldest = rows.range(Notifications::Key{user, kFirst}, Notifications::Key{user, kLast},
                                 Direction::kUp, count);
  for (const auto& [key, oldest_row] : oldest) must_have_gone(rows.erase(key));
  return static_cast<std::uint32_t>(oldest.size());
}

// Removes tags of posts older than `since`, oldest first, at most `limit` tags.
void erase_old_tags(Rows& rows, Time since, std::uint32_t limit) {
  const PostId bound{snowflake::floor_of(since)};
  if (bound == kBelowAllPosts) return;
  const auto old = rows.range(TagUses::Key{kBelowAllPosts}, TagUses::Key{{bound.value - 1}},
                              Direction::kUp, limit);
  std::size_t left = limit;
  for (const auto& [key, post] : old) {
    if (post.tags.size() > left) return;
    left -= post.tags.size();
    unlist(rows, post.post, post.tags);
    must_have_gone(rows.erase(key));
  }
}

}  // namespace

bool take(Rows& rows, const CounterStep& step) {
  if (rows.state().counters != step.from) return false;
  add_counters(rows, step.deltas);
  add_counters(rows, step.contents);
  rows.state().counters = step.to;
  return true;
}

bool take(Rows& rows, const NotificationStep& step) {
  if (rows.state().notifications != step.from) return false;
  for (std::span<const Notification> notifications = step.notifications; !notifications.empty();) {
    const UserNumber user = notifications.front().user;
    const auto end = std::find_if(notifications.begin(), notifications.end(),
                                  [&](const auto& one) { return one.user != user; });
    const auto count = static_cast<std::size_t>(end - notifications.begin());
    if (rows.kept(user)) tell(rows, notifications.first(count), step.keep);
    notifications = notifications.subspan(count);
  }
  rows.state().notifications = step.to;
  return true;
}

bool take(Rows& rows, const TrendStep& step) {
  if (rows.state().trends != step.from) return false;
  for (const TaggedPost& post : step.posts) put_tags(rows, post);
  for (const PostId post : step.listed) {
    if (const auto tagged = rows.find(TagUses::Key{post})) list_under_tags(rows, *tagged);
  }
  settle_comments(rows, step.settled);
  erase_old_tags(rows, step.since, step.drop);
  rows.state().trends = step.to;
  return true;
}

void tell(Rows& rows, std::span<const Notification> notifications, std::uint32_t keep) {
  if (notifications.empty()) return;
  const UserNumber user = notifications.front().user;
  Readers::Row reader = reader_of(rows, user);
  for (const Notification& one : notifications) {
    const Notifications::Key key{user, one.sequence};
    if (!rows.find(key)) ++reader.notifications;
    rows.put(key, one);
  }
  if (reader.notifications > keep) {
    reader.notifications -=
        erase_oldest(rows, user, static_cast<std::uint32_t>(reader.notifications - keep));
  }
  rows.put(Readers::Key{user}, reader);
}

void take_back(Rows& rows, const Notification& notification) {
  if (!rows.erase(Notifications::Key{notification.user, notification.sequence})) return;
  Readers::Row reader = reader_of(rows, notification.user);
  if (reader.notifications > 0) --reader.notifications;
  rows.put(Readers::Key{notification.user}, reader);
}

std::uint32_t forget_notifications_of(Rows& rows, UserNumber user, std::uint32_t limit) {
  const std::uint32_t erased = erase_oldest(rows, user, limit);
  if (erased < limit) {
    rows.discard(Readers::Key{user});
  } else if (erased > 0) {
    Readers::Row reader = reader_of(rows, user);
    reader.notifications -= std::min<std::uint64_t>(reader.notifications, erased);
    rows.put(Readers::Key{user}, reader);
  }
  return erased;
}

void put_tags(Rows& rows, const TaggedPost& post) {
  const auto found = rows.find(Posts::Key{post.post});
  if (!found || found->author != post.author || found->privacy != Privacy::kPublic) return;
  rows.put(TagUses::Key{post.post}, post);
  list_under_tags(rows, post);
}

void settle_comments(Rows& rows, std::span<const CommentId> comments) {
  for (const CommentId id : comments) {
    const auto comment = rows.find(Comments::Key{id});
    const auto post = comment ? rows.find(Posts::Key{comment->post}) : std::nullopt;
    if (post) settle_comment(rows, *comment, post->author);
  }
}

void put_recent_tags(Rows& rows, const Post& post) {
  if (post.privacy != Privacy::kPublic) return;
  const Time now = rows.state().passed.at(rows.now());
  if (snowflake::time_of(post.id.value).ms < now.ms - kTagsKeptMs) return;
  std::vector<std::string> tags = tags_in(post.text);
  if (tags.empty()) return;
  const TaggedPost tagged{post.id, post.author, std::move(tags)};
  rows.put(TagUses::Key{post.id}, tagged);
  list_under_tags(rows, tagged);
}

}  // namespace chirp::rules
