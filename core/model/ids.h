// Identifiers: a type for each kind, so that the compiler refuses to mix them.
//
// A Snowflake id is 41 bits of milliseconds since 2000-01-01T00:00:00Z, 10 bits of machine, 12 bits
// of sequence; positive in a signed 64-bit integer until 2069-09-06. Ids of users and posts are
// Snowflakes, so order by id is order by time, and a time converts to a cursor.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

#include "core/model/time.h"

namespace chirp {

template <class Tag, class Rep>
struct StrongId {
  Rep value{};
  constexpr auto operator<=>(const StrongId&) const = default;
};

// The public id of a user, as the API shows it.
using UserId = StrongId<struct UserIdTag, std::uint64_t>;

// The dense number of a user in this data directory: 1, 2, 3, … in the order of arrival, never
// reused. Timelines, edges and logs store this instead of the public id, because it is smaller. The
// API never shows it.
using UserNumber = StrongId<struct UserNumberTag, std::uint32_t>;

// The id of a post; also a cursor.
using PostId = StrongId<struct PostIdTag, std::uint64_t>;

// The id of a comment. Posts and comments share one sequence of ids, so all of them differ.
using CommentId = StrongId<struct CommentIdTag, std::uint64_t>;

// The id of a post or a comment: anything that has reactions and counters.
using ContentId = StrongId<struct ContentIdTag, std::uint64_t>;
constexpr ContentId content_of(PostId post) { return {post.value}; }
constexpr ContentId content_of(CommentId comment) { return {comment.value}; }

// The id of an uploaded file: random, so that it cannot be guessed.
using MediaId = StrongId<struct MediaIdTag, std::uint64_t>;

// The number of a loaded user or post in its source: 63 bits. If the source id is not such a
// number, it is a word (core/model/source_key.h).
using SourceId = StrongId<struct SourceIdTag, std::uint64_t>;

// The position of an event in the log: 1, 2, 3, … without gaps.
using Sequence = StrongId<struct SequenceTag, std::uint64_t>;

inline constexpr UserNumber kNobody{0};
inline constexpr CommentId kNoComment{0};
inline constexpr PostId kBelowAllPosts{0};
inline constexpr PostId kAboveAllPosts{std::numeric_limits<std::uint64_t>::max()};

namespace snowflake {

inline constexpr std::int64_t kEpochMs = 946'684'800'000;  // 2000-01-01T00:00:00Z, Unix ms
inline constexpr unsigned kTimeBits = 41;
inline constexpr unsigned kMachineBits = 10;
inline constexpr unsigned kSequenceBits = 12;
inline constexpr unsigned kTimeShift = kMachineBits + kSequenceBits;
inline constexpr std::uint64_t kMaxTicks = (std::uint64_t{1} << kTimeBits) - 1;
inline constexpr std::uint64_t kSequences = std::uint64_t{1} << kSequenceBits;

// The machine number reserved for loads. It is below every live machine, so a loaded id never
// equals a live one and sorts below the live ids of its millisecond. It is at least 1, so a loaded
// id never equals a time used as a cursor.
inline constexpr std::uint32_t kLoadMachine = 1;
inline constexpr std::uint32_t kMachineMin = 2;
inline constexpr std::uint32_t kMachineMax = (1u << kMachineBits) - 1;
inline constexpr std::uint32_t kMachineDefault = 2;

constexpr std::uint64_t make(std::uint64_t ticks, std::uint32_t machine, std::uint64_t sequence) {
  return (ticks << kTimeShift) | (std::uint64_t{machine} << kSequenceBits) | sequence;
}
// Milliseconds since 2000-01-01.
constexpr std::uint64_t ticks(std::uint64_t id) { return id >> kTimeShift; }
constexpr std::uint32_t machine(std::uint64_t id) {
  return static_cast<std::uint32_t>(id >> kSequenceBits) & kMachineMax;
}
constexpr Time time_of(std::uint64_t id) {
  return Time{kEpochMs + static_cast<std::int64_t>(ticks(id))};
}
// Milliseconds since 2000 of `time`, clamped to what an id can hold.
constexpr std::uint64_t ticks_of(Time time) {
  if (time.ms <= kEpochMs) return 0;
  const auto since = static_cast<std::uint64_t>(time.ms - kEpochMs);
  return since > kMaxTicks ? kMaxTicks : since;
}
// The lowest possible id of this time: a cursor below every entry of that millisecond.
constexpr std::uint64_t floor_of(Time time) { return ticks_of(time) << kTimeShift; }

// Returns the next live id: at the time `now`, but always above `last`, even if the clock steps
// back.
// A full millisecond continues in the next. Throws Error{kUnavailable} after the end of 2069.
std::uint64_t next(Time now, std::uint64_t last, std::uint32_t machine);

}  // namespace snowflake
}  // namespace chirp

template <class Tag, class Rep>
struct std::hash<chirp::StrongId<Tag, Rep>> {
  std::size_t operator()(const chirp::StrongId<Tag, Rep>& id) const noexcept {
    return std::hash<Rep>{}(id.value);
  }
};
