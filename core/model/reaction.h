// Reactions to posts and likes of comments, and what is counted of both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include "core/model/ids.h"

namespace chirp {

// Stored as one byte; numbers are for good. Likes of comments are kLike alone.
enum class ReactionType : std::uint8_t { kLike = 1, kLove = 2, kLaugh = 3, kAngry = 4, kSad = 5 };
inline constexpr std::size_t kReactionTypes = 5;

[[nodiscard]] std::string_view name(ReactionType type);
[[nodiscard]] std::optional<ReactionType> reaction_named(std::string_view name);
// Its place in a list by type.
constexpr std::size_t index_of(ReactionType type) { return static_cast<std::size_t>(type) - 1; }

// One user's reaction to one post or comment.
struct Reaction {
  UserNumber user;
  ReactionType type = ReactionType::kLike;
  // Of the first reaction; changing the type leaves both alone.
  Time since;
  Sequence event{0};  // that made it; 0 of what came by a load

  bool operator==(const Reaction&) const = default;
};

// Of a post or a comment, stored ones and pending changes together.
struct ContentCounters {
  std::array<std::int64_t, kReactionTypes> reactions{};  // by type
  std::int64_t comments = 0;  // of a post: all of them, removed ones not; of a comment: its direct
                              // replies, removed ones not
  std::int64_t reposts = 0;   // of a post

  [[nodiscard]] std::int64_t reactions_in_all() const {
    return std::accumulate(reactions.begin(), reactions.end(), std::int64_t{0});
  }
  ContentCounters& operator+=(const ContentCounters& other) {
    for (std::size_t i = 0; i < kReactionTypes; ++i) reactions[i] += other.reactions[i];
    comments += other.comments;
    reposts += other.reposts;
    return *this;
  }
  ContentCounters& operator-=(const ContentCounters& other) {
    for (std::size_t i = 0; i < kReactionTypes; ++i) reactions[i] -= other.reactions[i];
    comments -= other.comments;
    reposts -= other.reposts;
    return *this;
  }
  bool operator==(const ContentCounters&) const = default;
};

// What is to be added to the counters of one post or comment.
struct ContentDelta {
  ContentId content;
  ContentCounters change;

  bool operator==(const ContentDelta&) const = default;
};

}  // namespace chirp
