// The ranked feed: the newest originals of a home feed, by score (docs/ranking.md).
//
// A RankedSnapshot is a value from which ranked pages are cut, so that new posts do not move them.
// It holds entries and scores, no texts. Each page is read from the newest state, with the rules of
// the feed, so posts that have become invisible are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/feed/page.h"
#include "core/model/rank_weights.h"
#include "core/ports/clock.h"
#include "core/ports/snapshot.h"

namespace chirp::feed {

enum class Algorithm : std::uint8_t { kChronological, kRanked };

// The input of an original's score.
struct RankFacts {
  Time entered;                  // time of its newest entry
  std::int64_t responses = 0;    // number of reactions, plus twice the comments and reposts
  std::uint32_t partnering = 0;  // number of the viewer's recent responses to the author
  UserNumber author;
};

struct RankedEntry {
  std::vector<Entry> entries;  // entries of one original, newest first
  Source source = Source::kPulled;
  double score = 0;
  ScoreParts parts;
};

struct RankedSnapshot {
  UserNumber viewer;
  std::vector<RankedEntry> ranked;  // highest score first
  ReadCost cost;                    // cost of scoring
  RankWeights weights{};            // used for the scores
};

struct RankedPage {
  Page page;             // each item with its score; no cursors
  std::size_t next = 0;  // index for the next page
};

// The order and the scores, one for each of `facts`, highest score first. Stable for equal scores.
struct Ranking {
  std::size_t index = 0;  // index in `facts`
  double score = 0;
  ScoreParts parts;
};
[[nodiscard]] std::vector<Ranking> rank(std::span<const RankFacts> facts, Time now,
                                        const RankWeights& weights);

// Takes and scores the newest kRankedMax originals of the feed.
[[nodiscard]] RankedSnapshot take_ranked(const Snapshot& snapshot, UserNumber viewer,
                                         const RankWeights& weights, const Clock& clock);

// New entries above `since`, highest score first; if there are more than kRankedMax, the newest.
// Throws what refresh() throws.
[[nodiscard]] Refreshed refresh_ranked(const Snapshot& snapshot, const RefreshRequest& request,
                                       const RankWeights& weights, const Clock& clock);

// A page of it, starting at index `from`. `snapshot` may be newer than the one it was taken from.
// The first page's cost includes the cost of scoring. Throws Error{kInvalidArgument} for a limit
// outside 1 … limits::kPostPageMax.
[[nodiscard]] RankedPage ranked_page(const Snapshot& snapshot, const RankedSnapshot& ranked,
                                     std::size_t from, std::uint32_t limit, const Clock& clock);

}  // namespace chirp::feed
