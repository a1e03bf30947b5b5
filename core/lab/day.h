// The day that is played: which of a directory's posts are posted again, and when.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/post.h"
#include "core/model/time.h"
#include "core/ports/snapshot.h"

namespace chirp::lab {

struct DayOptions {
  Time day;  // its first millisecond, UTC
  // As many as this instead of as many as there are: taken in their order, left out or repeated
  // evenly, and posted evenly over the day. At most kPostsADayMax.
  std::optional<std::uint64_t> posts_per_day;
  // No more are played. Of more the middle ones, so that nothing between the first and the last of
  // them is left out, and the part of the day in which they come is played alone.
  std::uint64_t posts_max = 0;
};
inline constexpr std::uint64_t kPostsADayMax = 1'000'000'000;

struct PlayedPost {
  Time at;
  Post post;  // as it is stored
};

struct PlayedDay {
  Time from;  // of what is played; a copy for it holds nothing from then on
  Time to;    // excluded
  std::uint64_t posts_of_day = 0;
  std::vector<PlayedPost> posts;  // ascending by time

  // What part of the day's posts is played.
  [[nodiscard]] bool is_whole() const { return posts_of_day == posts.size(); }
};

// The first millisecond of the day of the newest post or repost; empty if there is none.
[[nodiscard]] std::optional<Time> last_day_with_posts(const Snapshot& snapshot);

// Throws Error{kNotFound} for a day without posts by anybody who is there; {kInvalidArgument} if
// those to be played come within a second, so that no reads come between them.
[[nodiscard]] PlayedDay day_to_play(const Snapshot& snapshot, const DayOptions& options);

}  // namespace chirp::lab
