#include "core/model/event.h"

#include <algorithm>

#include "core/model/value_names.h"

namespace chirp::events {
namespace {

constexpr ValueNames<Topic, 23> kNames{{
    {Topic::kPostCreated, "post.created"},
    {Topic::kPostRemoved, "post.removed"},
    {Topic::kFollowAdded, "follow.added"},
    {Topic::kFollowRemoved, "follow.removed"},
    {Topic::kUserCreated, "user.created"},
    {Topic::kUserEdited, "user.edited"},
    {Topic::kUserRemoved, "user.removed"},
    {Topic::kTierChanged, "tier.changed"},
    {Topic::kLoadBatch, "load.batch"},
    {Topic::kRepostCreated, "repost.created"},
    {Topic::kRepostRemoved, "repost.removed"},
    {Topic::kFollowSwitched, "follow.switched"},
    {Topic::kReactionSet, "reaction.set"},
    {Topic::kReactionRemoved, "reaction.removed"},
    {Topic::kCommentCreated, "comment.created"},
    {Topic::kCommentRemoved, "comment.removed"},
    {Topic::kMentionCreated, "mention.created"},
    {Topic::kBlockAdded, "block.added"},
    {Topic::kBlockRemoved, "block.removed"},
    {Topic::kMuteAdded, "mute.added"},
    {Topic::kMuteRemoved, "mute.removed"},
    {Topic::kUserSuspended, "user.suspended"},
    {Topic::kUserUnsuspended, "user.unsuspended"},
}};

// Takes the first word off a dotted text.
std::string_view take_word(std::string_view& text) {
  const std::size_t dot = text.find('.');
  const std::string_view word = text.substr(0, dot);
  text = dot == std::string_view::npos ? std::string_view{} : text.substr(dot + 1);
  return word;
}

}  // namespace

std::string_view name(Topic topic) { return name_in(kNames, topic); }

bool matches(std::string_view pattern, std::string_view topic_name) {
  while (!pattern.empty()) {
    const std::string_view word = take_word(pattern);
    if (word == "#") {
      for (;;) {
        if (matches(pattern, topic_name)) return true;
        if (topic_name.empty()) return false;
        take_word(topic_name);
      }
    }
    if (topic_name.empty()) return false;
    const std::string_view other = take_word(topic_name);
    if (word != "*" && word != other) return false;
  }
  return topic_name.empty();
}

Bindings::Bindings(std::span<const std::string_view> patterns) {
  for (const auto& [topic, topic_name] : kNames) {
    topics_[static_cast<std::size_t>(topic)] = std::ranges::any_of(
        patterns, [name = topic_name](std::string_view pattern) { return matches(pattern, name); });
  }
}

}  // namespace chirp::events
