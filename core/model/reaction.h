// Reactions to posts, likes of comments, and the counters of both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include "core/model/ids.h"
#include "core/model/value_names.h"

namespace chirp {

// Stored as one byte; never renumber. Comments have only kLike.
enum class ReactionType : std::uint8_t { kLike = 1, kLove = 2, kLaugh = 3, kAngry = 4, kSad = 5 };
inline constexpr std::size_t kReactionTypes = 5;

inline constexpr ValueNames<ReactionType, kReactionTypes> kReactionNames{{
    {ReactionType::kLike, "like"},
    {ReactionType::kLove, "love"},
    {ReactionType::kLaugh, "laugh"},
    {ReactionType::kAngry, "angry"},
    {ReactionType::kSad, "sad"},
}};
[[nodiscard]] constexpr std::string_view name(ReactionType type) {
  return name_in(kReactionNames, type);
}
[[nodiscard]] constexpr std::optional<ReactionType> reaction_named(std::string_view name) {
  return value_in(kReactionNames, name);
}
// The index of a type in an array by type.
constexpr std::size_t index_of(ReactionType type) { return static_cast<std::size_t>(type) - 1; }

// One user's reaction to one post or comment.
struct Reaction {
  UserNumber user;
  ReactionType type = ReactionType::kLike;
  // When the user first reacted; changing the type changes neither field.
  Time since;
  Sequence event{0};  // the event that created it; 0 if loaded

  bool operator==(const Reaction&) const = default;
};

// The counters of a post or a comment, pending changes included.
struct ContentCounters {
  std::array<std::int64_t, kReactionTypes> reactions{};  // by type
  std::int64_t comments = 0;  // a post's comments, or a comment's direct replies; not removed ones
  std::int64_t reposts = 0;   // posts only

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

// A change of the counters of one post or comment.
struct ContentDelta {
  ContentId content;
  ContentCounters change;

  bool operator==(const ContentDelta&) const = default;
};

}  // namespace chirp
