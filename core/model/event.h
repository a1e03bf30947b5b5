// The event log's vocabulary: what happened, to whom, by whom.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/ids.h"
#include "core/model/post.h"
#include "core/model/reaction.h"

namespace chirp::events {

// Stored as one byte; numbers are for good.
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
  kFollowSwitched = 12,  // somebody's reposts were switched off or on
  kReactionSet = 13,     // of a post, or of a comment if one is named
  kReactionRemoved = 14,
  kCommentCreated = 15,
  kCommentRemoved = 16,
  kMentionCreated = 17,
  kBlockAdded = 18,  // severs the follow edges between the two, which have events of their own
  kBlockRemoved = 19,
  kMuteAdded = 20,
  kMuteRemoved = 21,
  kUserSuspended = 22,    // hidden everywhere, with all they wrote and did
  kUserUnsuspended = 23,  // all of it is back
};

// `post.created` and so on; empty for a number that is no topic.
[[nodiscard]] std::string_view name(Topic topic);

// Whether an event of this topic brings an entry of feeds into being: a post or a repost.
constexpr bool makes_entry(Topic topic) {
  return topic == Topic::kPostCreated || topic == Topic::kRepostCreated;
}

// Routing as a topic exchange does it: words between dots; `*` stands for one word, `#` for any
// number of words, none included.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view topic_name);

// Fields without meaning for a topic are 0.
struct Event {
  Sequence sequence{};
  Topic topic = Topic::kPostCreated;
  Time time{};
  UserNumber actor{};  // who did it: author, reposter, follower, …; kNobody for load.batch
  UserNumber other{};  // to whom: followee, blocked, muted, mentioned; of repost.*, reaction.* and
                       // comment.*: the author of the post (of the comment reacted to)
  // Of post.* and repost.*: the entry; of load.batch: the newest post, where plain posts alone were
  // stored, so that feeds are above it what they were; of the others: the post it is about.
  PostId post{};
  // Of load.batch: users, edges and posts stored; of tier.changed: the tier.
  std::uint64_t rows = 0;
  PostId original{};                   // of repost.*
  CommentId comment{};                 // of comment.*; of a reaction to, or a mention in, a comment
  CommentId parent{};                  // of comment.*: what it replies to
  Privacy privacy = Privacy::kPublic;  // of post.*
  std::optional<ReactionType> reaction{};         // of reaction.*: the type set or removed
  std::optional<ReactionType> reaction_before{};  // of reaction.set: the type it replaces

  bool operator==(const Event&) const = default;
};

// Whether its time is what the clock said, so that it is a look at the clock
// (core/model/passing.h): a load may have a time that was asked for.
[[nodiscard]] constexpr bool tells_time(const Event& event) {
  return event.topic != Topic::kLoadBatch;
}

}  // namespace chirp::events
