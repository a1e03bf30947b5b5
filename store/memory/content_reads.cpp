// Reading reactions, comments and what is counted of them.
#include <algorithm>
#include <utility>

#include "store/memory/content.h"
#include "store/memory/snapshot.h"

namespace chirp::memory {

std::vector<ContentCounters> MemorySnapshot::content_counters(
    std::span<const ContentId> contents) const {
  auto pending = pending_content_counters(*state_);
  std::vector<ContentCounters> result;
  for (const ContentId content : contents) {
    const auto stored = state_->content_counters.find(content);
    result.push_back(stored == state_->content_counters.end() ? ContentCounters{} : stored->second);
    result.back() += pending[content];
  }
  return result;
}

std::vector<std::optional<Reaction>> MemorySnapshot::reactions_of(
    UserNumber user, std::span<const ContentId> contents) const {
  std::vector<std::optional<Reaction>> result;
  for (const ContentId content : contents) {
    result.emplace_back();
    const auto of_content = state_->reactions.find(content);
    if (of_content == state_->reactions.end()) continue;
    const auto found = of_content->second.find(user);
    if (found != of_content->second.end()) result.back() = found->second;
  }
  return result;
}

std::vector<Reaction> MemorySnapshot::reactions(ContentId content, UserNumber after,
                                                std::optional<ReactionType> type,
                                                std::uint32_t limit) const {
  std::vector<Reaction> result;
  const auto of_content = state_->reactions.find(content);
  if (of_content == state_->reactions.end()) return result;
  for (const auto& [user, reaction] : of_content->second) {
    const bool wanted = user > after && (!type || reaction.type == *type);
    if (wanted && result.size() < limit) result.push_back(reaction);
  }
  return result;
}

std::vector<std::optional<Comment>> MemorySnapshot::comments(std::span<const CommentId> ids) const {
  std::vector<std::optional<Comment>> result;
  for (const CommentId id : ids) {
    const auto found = state_->comments.find(id);
    result.push_back(found == state_->comments.end() ? std::nullopt : std::optional(found->second));
  }
  return result;
}

std::vector<CommentId> MemorySnapshot::thread(PostId post, CommentId parent, CommentId bound,
                                              Direction direction, std::uint32_t limit) const {
  std::vector<CommentId> result;
  const auto found = state_->threads.find({post, parent});
  if (found == state_->threads.end()) return result;
  const bool down = direction == Direction::kDown;
  for (const CommentId id : found->second) {
    if (down ? id < bound : id > bound) result.push_back(id);
  }
  if (down) std::reverse(result.begin(), result.end());
  if (result.size() > limit) result.resize(limit);
  return result;
}

std::vector<UserNumber> MemorySnapshot::recent_partners(UserNumber user,
                                                        std::uint32_t limit) const {
  std::multimap<std::uint64_t, UserNumber, std::greater<>> found;
  if (const auto by = state_->reactions_by.find(user); by != state_->reactions_by.end()) {
    for (const auto& [content, author] : by->second) found.emplace(content.value, author);
  }
  if (const auto by = state_->comments_by.find(user); by != state_->comments_by.end()) {
    for (const auto& [comment, author] : by->second) found.emplace(comment.value, author);
  }
  std::vector<UserNumber> result;
  for (const auto& [id, partner] : found) {
    if (result.size() < limit) result.push_back(partner);
  }
  return result;
}

}  // namespace chirp::memory
