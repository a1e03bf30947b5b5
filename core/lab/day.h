// The day that a lab replays: which posts of a directory are posted again, and when.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/post.h"
#include "core/model/time.h"
#include "core/ports/snapshot.h"

namespace chirp::lab {

struct DayOptions {
  Time day;  // first millisecond of the day, UTC
  // Replays this many posts instead of the real number: posts are skipped or repeated evenly, in
  // order, and spread evenly over the day. At most kPostsADayMax.
  std::optional<std::uint64_t> posts_per_day;
  // Replays at most this many. If there are more, the middle ones without gaps, and only the part
  // of the day that they cover.
  std::uint64_t posts_max = 0;
};
inline constexpr std::uint64_t kPostsADayMax = 1'000'000'000;

struct PlayedPost {
  Time at;
  Post post;  // as it is stored
};

struct PlayedDay {
  Time from;  // start of the replay; a copy for it has nothing after this
  Time to;    // exclusive
  std::uint64_t posts_of_day = 0;
  std::vector<PlayedPost> posts;  // sorted by time

  // Whether all posts of the day are replayed.
  [[nodiscard]] bool is_whole() const { return posts_of_day == posts.size(); }
};

// The first millisecond of the day of the newest post or repost; empty without posts.
[[nodiscard]] std::optional<Time> last_day_with_posts(const Snapshot& snapshot);

// Throws Error{kNotFound} for a day without posts of present authors; {kInvalidArgument} if all
// posts fall within one second, so that no reads happen between them.
[[nodiscard]] PlayedDay day_to_play(const Snapshot& snapshot, const DayOptions& options);

}  // namespace chirp::lab
