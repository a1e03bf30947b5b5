#include <algorithm>
#include <limits>
#include <utility>

#include "core/feed/home_feed.h"
#include "core/feed/merge.h"

namespace chirp::feed {
namespace {

// With at least this many sources, the time of a build shows the cost of one more.
constexpr std::size_t kSourcesToMeasure = 8;

std::uint32_t per_source_ns(std::int64_t elapsed_ns, std::size_t sources) {
  if (sources < kSourcesToMeasure || elapsed_ns <= 0) return 0;
  const auto each = static_cast<std::uint64_t>(elapsed_ns) / sources;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(each, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

std::optional<BuiltTimeline> build_timeline(const Snapshot& snapshot, UserNumber viewer,
                                            const Clock& clock) {
  FeedSources sources = snapshot.feed_sources(viewer);
  if (sources.following.size() > limits::kPullOnlyFollowees) return std::nullopt;
  const std::vector<UserNumber> authors = authors_of(sources, viewer);
  const LogsOf logs = feed_logs(authors, viewer);
  // One more than the cap shows whether anything is left out.
  const std::uint32_t wanted = sources.state.settings.cap + 1;
  const std::uint32_t page = std::min(wanted, limits::kPostPageDefault);

  // The first page's worth is fetched separately, as a read would, to measure the cost of a source.
  const std::int64_t start = clock.steady_ns();
  std::vector<Entry> entries = snapshot.author_entries(logs, {}, Direction::kDown, page);
  const std::int64_t elapsed = clock.steady_ns() - start;
  if (entries.size() == page && page < wanted) {
    const auto rest = snapshot.author_entries(logs, {kBelowAllPosts, entries.back().id},
                                              Direction::kDown, wanted - page);
    entries.insert(entries.end(), rest.begin(), rest.end());
  }

  BuiltTimeline built;
  built.viewer = viewer;
  built.log_end = sources.state.log_end;
  built.source_ns = per_source_ns(elapsed, authors.size());
  built.timeline.generation = sources.state.generation;
  built.timeline.last_read = sources.has_timeline ? sources.last_read : clock.now();
  for (Entry& entry : entries) entry.origin = Origin::kBackfilled;
  built.timeline.entries = std::move(entries);
  trim(built.timeline, sources.state.settings.cap);
  built.following = std::move(sources.following);
  return built;
}

}  // namespace chirp::feed
