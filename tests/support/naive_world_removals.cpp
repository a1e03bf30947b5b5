// What goes when posts, comments and users go, and what the consumers' steps leave behind.
#include <algorithm>

#include "tests/support/naive_world.h"

namespace chirp::test {

using events::Notification;

bool NaiveWorld::hangs(ContentId content) const {
  const auto reacted = [&](const auto& row) { return row.first.first == content; };
  const auto said = [&](const auto& row) { return content_of(row.second.comment.post) == content; };
  const auto reposted = [&](const auto& row) {
    return row.second.is_repost() && content_of(row.second.original) == content;
  };
  return std::any_of(reactions.begin(), reactions.end(), reacted) ||
         std::any_of(comments.begin(), comments.end(), said) ||
         std::any_of(posts.begin(), posts.end(), reposted) || tags.contains(PostId{content.value});
}

bool NaiveWorld::has_replies(CommentId id) const {
  return std::any_of(comments.begin(), comments.end(),
                     [&](const auto& row) { return row.second.comment.parent == id; });
}

// The record at once, and its hashtags; what hangs on it waits.
void NaiveWorld::erase_post(PostId id) {
  posts.erase(id);
  tags.erase(id);
  if (hangs(content_of(id))) remains.insert(content_of(id));
}

// With replies it stays, emptied; without, it goes, and so do emptied ones above it.
void NaiveWorld::erase_comment(CommentId id) {
  const auto liked = [&](const auto& row) { return row.first.first == content_of(id); };
  if (std::any_of(reactions.begin(), reactions.end(), liked)) remains.insert(content_of(id));
  if (has_replies(id)) {
    Comment& comment = comments.at(id).comment;
    comment.author = kNobody;
    comment.text.clear();
    comment.source.reset();
    comment.state = CommentState::kRemoved;
    return;
  }
  for (CommentId gone = id; gone != kNoComment;) {
    const CommentId above = comments.at(gone).comment.parent;
    comments.erase(gone);
    const auto parent = comments.find(above);
    const bool emptied =
        parent != comments.end() && parent->second.comment.state == CommentState::kRemoved;
    gone = emptied && !has_replies(above) ? above : kNoComment;
  }
}

// Everything that is kept of the user, and what others keep about them. What others left under
// their posts waits.
void NaiveWorld::finish_removal(UserNumber user, Time now) {
  if (leaving.erase(user) == 0) return;
  // The newest first: somebody's repost of their own post goes before it.
  std::vector<PostId> own_posts;
  for (const auto& [id, post] : posts) {
    if (post.author == user) own_posts.insert(own_posts.begin(), id);
  }
  for (const PostId id : own_posts) erase_post(id);
  std::erase_if(reactions, [&](const auto& row) { return row.first.second == user; });
  std::vector<CommentId> own_comments;
  for (const auto& [id, row] : comments) {
    if (row.comment.author == user) own_comments.push_back(id);
  }
  for (const CommentId id : own_comments) erase_comment(id);
  std::erase_if(follows, [&](const auto& row) {
    return row.first.first == user || row.first.second == user;
  });
  std::erase_if(relations, [&](const auto& row) {
    return std::get<0>(row.first) == user || std::get<2>(row.first) == user;
  });
  std::erase_if(keys, [&](const auto& row) { return row.first.first == user; });
  notifications.erase(user);
  reading.erase(user);
  marks.erase(user);
  cards.at(user).username.clear();
  cards.at(user).display_name.clear();
  settle_tiers(now);
}

// Reactions, comments with their likes and reposts of posts that are gone; likes of
// comments that are.
void NaiveWorld::finish_post_removals(Time now) {
  const auto is_gone = [&](PostId id) { return remains.contains(content_of(id)); };
  std::set<ContentId> going = remains;
  for (const auto& [id, row] : comments) {
    if (is_gone(row.comment.post)) going.insert(content_of(id));
  }
  std::erase_if(reactions, [&](const auto& row) { return going.contains(row.first.first); });
  std::erase_if(comments, [&](const auto& row) { return is_gone(row.second.comment.post); });
  std::erase_if(posts, [&](const auto& row) {
    return row.second.is_repost() && is_gone(row.second.original);
  });
  remains.clear();
  settle_tiers(now);
}

// ---- consumers' steps

CounterStep NaiveWorld::next_counts(Sequence to) const {
  CounterStep step;
  step.from = counters;
  step.to = to;
  for (const auto& [user, change] : pending_users(to)) {
    step.deltas.push_back({user, change.followers, change.following, change.posts});
  }
  for (const auto& [content, change] : pending_contents(to)) {
    step.contents.push_back({content, change});
  }
  return step;
}

void NaiveWorld::commit(const CounterStep& step, Time now) {
  counters = step.to;
  settle_tiers(now);
}

void NaiveWorld::commit(const NotificationStep& step, Time) {
  told = step.to;
  std::set<UserNumber> told_now;
  for (const Notification& one : step.notifications) {
    if (!kept(one.user)) continue;
    notifications[one.user][one.sequence] = one;
    told_now.insert(one.user);
  }
  for (const UserNumber user : told_now) {
    auto& kept = notifications[user];
    while (kept.size() > step.keep) kept.erase(kept.begin());
  }
}

void NaiveWorld::commit(const TrendStep& step, Time) {
  trends = step.to;
  for (const TaggedPost& post : step.posts) {
    if (posts.contains(post.post)) tags[post.post] = post;
  }
  std::size_t dropped = 0;
  while (!tags.empty() && snowflake::time_of(tags.begin()->first.value) < step.since) {
    dropped += tags.begin()->second.tags.size();
    if (dropped > step.drop) break;
    tags.erase(tags.begin());
  }
}

// The feed's oracle covers timelines; this one has the offset, and marks decided by cost.
bool NaiveWorld::commit(const FanOutStep& step, Time) {
  if (!step.marks.empty() && settings.policy != feed::Policy::kCost) return false;
  fan_out = step.to;
  for (const feed::AuthorMark& decided : step.marks) {
    if (!kept(decided.author)) continue;
    marks.try_emplace(decided.author, feed::AuthorMark{decided.author});
    marks[decided.author].push_from =
        decided.push_from == feed::kNeverPushed ? feed::kNeverPushed : next_id();
  }
  return true;
}

// ---- what readers keep

bool NaiveWorld::mark_feed(UserNumber user, PostId up_to) {
  if (!kept(user)) return false;
  reading[user].feed = up_to;
  return true;
}

bool NaiveWorld::mark_notified(UserNumber user, Sequence up_to) {
  const Sequence last{std::min(up_to.value, log_end.value - 1)};
  if (!kept(user) || reading[user].notified >= last) return false;
  reading[user].notified = last;
  return true;
}

std::uint64_t NaiveWorld::forget_keys(Time before, std::uint32_t rows) {
  std::uint64_t forgotten = 0;
  for (; forgotten < rows; ++forgotten) {
    const auto oldest = std::min_element(
        keys.begin(), keys.end(),
        [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
    if (oldest == keys.end() || oldest->second.first >= before) break;
    keys.erase(oldest);
  }
  return forgotten;
}

}  // namespace chirp::test
