// The ranked feed: the newest originals of a home feed, by score (docs/ranking.md).
//
// A RankedSnapshot is a value: what a walk of ranked pages is cut from, whatever is posted
// meanwhile. It holds entries and scores, no texts; a page is read from the state of its own time,
// under the rules of the feed, so what has become invisible since is left out.
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

// What an original is scored by.
struct RankFacts {
  Time entered;                  // its newest entry
  std::int64_t responses = 0;    // reactions, and comments and reposts twice
  std::uint32_t partnering = 0;  // how often the viewer lately responded to the author
  UserNumber author;
};

struct RankedEntry {
  std::vector<Entry> entries;  // of one original, newest first
  Source source = Source::kPulled;
  double score = 0;
  ScoreParts parts;
};

struct RankedSnapshot {
  UserNumber viewer;
  std::vector<RankedEntry> ranked;  // the highest score first
  ReadCost cost;                    // of taking it
  RankWeights weights{};            // that the scores were made with
};

struct RankedPage {
  Page page;             // each item with its score; no cursors
  std::size_t next = 0;  // the place to go on from
};

// Places and scores, one for each of `facts`, the highest score first; equal ones in the order
// given.
struct Ranking {
  std::size_t index = 0;  // in `facts`
  double score = 0;
  ScoreParts parts;
};
[[nodiscard]] std::vector<Ranking> rank(std::span<const RankFacts> facts, Time now,
                                        const RankWeights& weights);

// The newest kRankedMax originals of the feed, scored.
[[nodiscard]] RankedSnapshot take_ranked(const Snapshot& snapshot, UserNumber viewer,
                                         const RankWeights& weights, const Clock& clock);

// What has come above an entry, the highest score first: of more than kRankedMax the newest.
// Throws what refresh() throws.
[[nodiscard]] Refreshed refresh_ranked(const Snapshot& snapshot, const RefreshRequest& request,
                                       const RankWeights& weights, const Clock& clock);

// A page of it, from a place on. `snapshot` may be newer than what it was taken from. The cost of
// taking it is the first page's. Throws Error{kInvalidArgument} for a limit out of 1 …
// limits::kPostPageMax.
[[nodiscard]] RankedPage ranked_page(const Snapshot& snapshot, const RankedSnapshot& ranked,
                                     std::size_t from, std::uint32_t limit, const Clock& clock);

}  // namespace chirp::feed
