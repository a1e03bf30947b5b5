// The event log's vocabulary: what happened, to whom, by whom.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/ids.h"

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
};

// `post.created` and so on; empty for a number that is no topic.
[[nodiscard]] std::string_view name(Topic topic);
[[nodiscard]] std::optional<Topic> topic_named(std::string_view name);

// Routing as a topic exchange does it: words between dots; `*` stands for one word, `#` for any
// number of words, none included.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view topic_name);

struct Event {
  Sequence sequence{};
  Topic topic = Topic::kPostCreated;
  Time time{};
  UserNumber actor{};  // who did it: author, follower, the user; kNobody for load.batch
  UserNumber other{};  // the followee of follow.*; else kNobody
  PostId post{};       // of post.*; else 0
  // Of load.batch: users, edges and posts stored; of tier.changed: the tier.
  std::uint64_t rows = 0;

  bool operator==(const Event&) const = default;
};

}  // namespace chirp::events
