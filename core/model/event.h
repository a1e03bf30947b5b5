// The events of the log: what happened, the actor and the other user.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/model/ids.h"
#include "core/model/post.h"
#include "core/model/reaction.h"

namespace chirp::events {

// Stored as one byte; never renumber.
enum class Topic : std::uint8_t {
  kPostCreated = 1,
  kPostRemoved = 2,
  kFollowAdded = 3,
  kFollowRemoved = 4,
  kUserCreated = 5,
  kUserEdited = 6,
  kUserRemoved = 7,
  kTierChanged = 8,
  kLoadBatch = 9,
  kRepostCreated = 10,
  kRepostRemoved = 11,
  kFollowSwitched = 12,  // the follower switched the followee's reposts off or on
  kReactionSet = 13,     // on a post, or on a comment if `comment` is set
  kReactionRemoved = 14,
  kCommentCreated = 15,
  kCommentRemoved = 16,
  kMentionCreated = 17,
  kBlockAdded = 18,  // also removes the follows between the two, with events of their own
  kBlockRemoved = 19,
  kMuteAdded = 20,
  kMuteRemoved = 21,
  kUserSuspended = 22,    // hidden everywhere, with everything they wrote and did
  kUserUnsuspended = 23,  // everything is visible again
};

// `post.created` and so on; empty for an unknown number.
[[nodiscard]] std::string_view name(Topic topic);

// Whether an event of this topic creates a feed entry: a post or a repost.
constexpr bool makes_entry(Topic topic) {
  return topic == Topic::kPostCreated || topic == Topic::kRepostCreated;
}

// Matches like a topic exchange: words separated by dots; `*` matches one word, `#` any number of
// words, including zero.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view topic_name);

// The topics that match a consumer's patterns.
class Bindings {
 public:
  explicit Bindings(std::span<const std::string_view> patterns);
  [[nodiscard]] bool match(Topic topic) const {
    return topics_.test(static_cast<std::size_t>(topic));
  }

 private:
  std::bitset<256> topics_;
};

// Fields that a topic does not use are 0.
struct Event {
  Sequence sequence{};
  Topic topic = Topic::kPostCreated;
  Time time{};
  UserNumber actor{};  // author, reposter, follower, …; kNobody for load.batch
  // The followee, or the user blocked, muted or mentioned. For repost.*, reaction.* and comment.*:
  // the author of the post, or of the comment reacted to.
  UserNumber other{};
  // For post.* and repost.*: the entry. For other topics: the post that the event is about. For
  // load.batch: the newest post if only plain posts were stored: feeds above it did not change.
  PostId post{};
  // load.batch: number of users, edges and posts stored. tier.changed: the tier.
  std::uint64_t rows = 0;
  PostId original{};                       // repost.* only
  CommentId comment{};                     // comment.*, and reactions to or mentions in a comment
  CommentId parent{};                      // comment.* only: the comment replied to
  Privacy privacy = Privacy::kPublic;      // post.* only
  std::optional<ReactionType> reaction{};  // reaction.* only: the type set or removed
  std::optional<ReactionType> reaction_before{};  // reaction.set only: the type replaced

  bool operator==(const Event&) const = default;
};

// Whether the event's time was read from the clock, so that it shows how far time has passed
// (core/model/passing.h). A load may have a requested time instead.
[[nodiscard]] constexpr bool tells_time(const Event& event) {
  return event.topic != Topic::kLoadBatch;
}

}  // namespace chirp::events
