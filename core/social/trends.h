// Trending hashtags.
//
// The score of a tag is the sum, over the authors who used it in public posts of the window, of
// 2^-(age of the author's newest use / half-life). So each author counts once, and a tag of a
// single author is no trend. The list lags behind new posts as the consumer of the log does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::social {

struct Trend {
  std::string tag;
  std::uint64_t posts = 0;  // number of public posts of the window with the tag
  double score = 0;

  bool operator==(const Trend&) const = default;
};

struct TrendList {
  std::vector<Trend> trends;  // highest score first, then by tag
  Time generated_at;
};

struct TrendQuery {
  std::int64_t window_ms = kDayMs;  // kHourMs to kTagsKeptMs
  std::int64_t half_life_ms = 6 * kHourMs;
  std::uint32_t limit = 20;  // 1 to limits::kPostPageMax
  // How many pairs of tag and author a read remembers, newest first. A busier window is cut where
  // this many have been seen.
  std::size_t pairs = limits::kTrendPairsMax;
  // How many uses of tags a read looks at, newest first; the window is cut there too.
  std::size_t uses = std::numeric_limits<std::size_t>::max();
};

// Throws Error{kInvalidArgument} for a window or a limit out of range.
[[nodiscard]] TrendList trends_in(const Snapshot& snapshot, const TrendQuery& query, Time now);

class Trends {
 public:
  Trends(Storage& storage, const Clock& clock) : storage_(storage), clock_(clock) {}

  // With the configured half-life.
  [[nodiscard]] TrendList list(std::int64_t window_ms, std::uint32_t limit,
                               std::size_t uses = TrendQuery{}.uses) const;

 private:
  Storage& storage_;
  const Clock& clock_;
};

}  // namespace chirp::social
