// Notifications, hashtags and idempotency keys.
#include <algorithm>

#include "core/error.h"
#include "core/model/entities.h"
#include "store/memory/snapshot.h"
#include "store/memory/storage.h"

namespace chirp::memory {
namespace {

void tell(State& state, const events::Notification& one, std::uint32_t keep) {
  auto& rows = state.notifications[one.user];
  rows[one.sequence] = one;
  while (rows.size() > keep) rows.erase(rows.begin());
}

void tag(State& state, const TaggedPost& post) {
  const auto found = state.posts.find(post.post);
  if (found == state.posts.end() || found->second.author != post.author) return;
  if (found->second.privacy == Privacy::kPublic && !post.tags.empty()) state.tags[post.post] = post;
}

void drop_old_tags(State& state, Time since, std::uint32_t drop) {
  while (!state.tags.empty()) {
    const TaggedPost& oldest = state.tags.begin()->second;
    if (snowflake::time_of(oldest.post.value) >= since || oldest.tags.size() > drop) return;
    drop -= static_cast<std::uint32_t>(oldest.tags.size());
    state.tags.erase(state.tags.begin());
  }
}

}  // namespace

void tag_loaded(State& state, const Post& post, Time now) {
  if (post.privacy != Privacy::kPublic) return;
  const Time until = state.scalars.passed.at(now);
  if (snowflake::time_of(post.id.value).ms < until.ms - kTagsKeptMs) return;
  tag(state, {post.id, post.author, tags_in(post.text)});
}

std::optional<Outcome> earlier_outcome(const State& state, const Publish& change, Time now) {
  const auto found = state.keys.find({change.author, change.idempotency_key});
  if (found == state.keys.end()) return std::nullopt;
  const KeptKey& key = found->second;
  if (now.ms - key.since.ms >= limits::kKeyKeptMs) return std::nullopt;
  const Post* post = visible_post(state, key.post);
  if (post == nullptr || post->text != change.text || post->privacy != change.privacy ||
      post->media != change.media) {
    return Outcome{.result = Result::kConflict};
  }
  return Outcome{.result = Result::kAlready,
                 .post = post->id,
                 .author = post->author,
                 .time = post->created_at};
}

bool MemoryStorage::commit(const NotificationStep& step, Time) {
  return transact([&](State& state) {
    if (state.scalars.notifications != step.from) return false;
    check(step.to >= step.from && step.to <= state.scalars.log_end,
          "a consumer moves forward, inside the log");
    state.scalars.notifications = step.to;
    for (const events::Notification& one : step.told) {
      if (present(state, one.user)) tell(state, one, step.keep);
    }
    return true;
  });
}

bool MemoryStorage::commit(const TrendStep& step, Time) {
  return transact([&](State& state) {
    if (state.scalars.trends != step.from) return false;
    check(step.to >= step.from && step.to <= state.scalars.log_end,
          "a consumer moves forward, inside the log");
    state.scalars.trends = step.to;
    for (const TaggedPost& post : step.posts) tag(state, post);
    drop_old_tags(state, step.since, step.drop);
    return true;
  });
}

bool MemoryStorage::mark_notified(UserNumber user, Sequence up_to) {
  return transact([&](State& state) {
    if (!present(state, user)) return false;
    Sequence& notified = state.notified[user];
    const Sequence read = std::min(up_to, Sequence{state.scalars.log_end.value - 1});
    if (read <= notified) return false;
    notified = read;
    return true;
  });
}

std::uint64_t MemoryStorage::forget_keys(Time before, std::uint32_t rows) {
  return transact([&](State& state) {
    std::vector<std::pair<Time, std::pair<UserNumber, std::string>>> old;
    for (const auto& [key, kept] : state.keys) {
      if (kept.since < before) old.emplace_back(kept.since, key);
    }
    std::sort(old.begin(), old.end());
    if (old.size() > rows) old.resize(rows);
    for (const auto& [since, key] : old) state.keys.erase(key);
    return std::uint64_t{old.size()};
  });
}

void MemoryStorage::repair_tags(std::span<const TaggedPost> posts, Time) {
  transact([&](State& state) {
    for (const TaggedPost& post : posts) {
      state.tags.erase(post.post);
      tag(state, post);
    }
  });
}

void MemoryStorage::repair_notifications(std::span<const events::Notification> wrong,
                                         std::span<const events::Notification> missing, Time) {
  transact([&](State& state) {
    for (const auto& one : wrong) state.notifications[one.user].erase(one.sequence);
    for (const auto& one : missing) {
      if (present(state, one.user)) tell(state, one, ~std::uint32_t{0});
    }
  });
}

// ---- reading

std::vector<events::Notification> MemorySnapshot::notifications(UserNumber user, Sequence before,
                                                                std::uint32_t limit) const {
  std::vector<events::Notification> result;
  const auto found = state_->notifications.find(user);
  if (found == state_->notifications.end()) return result;
  for (auto at = found->second.lower_bound(before);
       at != found->second.begin() && result.size() < limit;) {
    result.push_back((--at)->second);
  }
  return result;
}

Sequence MemorySnapshot::notified(UserNumber user) const {
  const auto found = state_->notified.find(user);
  return found == state_->notified.end() ? Sequence{0} : found->second;
}

std::vector<TaggedPost> MemorySnapshot::tagged_posts(PostId below, std::uint32_t limit) const {
  std::vector<TaggedPost> result;
  for (auto at = state_->tags.lower_bound(below);
       at != state_->tags.begin() && result.size() < limit;) {
    result.push_back((--at)->second);
  }
  return result;
}

std::optional<PostId> MemorySnapshot::oldest_tagged_post() const {
  if (state_->tags.empty()) return std::nullopt;
  return state_->tags.begin()->first;
}

std::optional<Time> MemorySnapshot::oldest_key() const {
  std::optional<Time> oldest;
  for (const auto& [key, kept] : state_->keys) {
    if (!oldest || kept.since < *oldest) oldest = kept.since;
  }
  return oldest;
}

std::vector<events::Notification> MemorySnapshot::scan_notifications(UserNumber after_user,
                                                                     Sequence after,
                                                                     std::uint32_t limit) const {
  std::vector<events::Notification> result;
  for (auto of = state_->notifications.lower_bound(after_user); of != state_->notifications.end();
       ++of) {
    for (const auto& [sequence, one] : of->second) {
      if (of->first == after_user && sequence <= after) continue;
      if (result.size() == limit) return result;
      result.push_back(one);
    }
  }
  return result;
}

}  // namespace chirp::memory
