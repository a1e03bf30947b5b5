#include "core/feed/home_feed.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/feed/folding.h"
#include "core/feed/page.h"

namespace chirp::feed {
namespace {

void check_request(const PageRequest& request) {
  check_page_limit(request.limit, limits::kPostPageMax, "posts");
  if (request.before && request.after) {
    throw Error(ErrorCode::kInvalidArgument,
                "A page goes down from a cursor or up from one, not both.", "after");
  }
}

WalkPlan plan_of(const PageRequest& request) {
  WalkPlan plan;
  if (request.before) plan.range.below = *request.before;
  if (request.after) {
    plan.range.above = *request.after;
    plan.direction = Direction::kUp;
  }
  // One more shows whether there is more; a few timeline entries may be hidden or gone.
  plan.batch = request.limit + 1 + request.limit / 8;
  return plan;
}

}  // namespace

Page home_feed(const Snapshot& snapshot, const PageRequest& request, const Clock& clock) {
  check_request(request);
  const std::int64_t start = clock.steady_ns();
  FeedRead read(snapshot, request.viewer);
  const WalkPlan plan = plan_of(request);
  const FeedWalk::Timeline use = use_of_timeline(read.sources, request.as_if);
  FeedWalk walk(snapshot, read.sources, request.viewer, use, plan);
  Collector collector(read, walk, plan.direction, request.limit);
  collector.run();

  Page page = page_of(std::move(collector).folding(), request);
  page.generated_at = clock.now();
  page.warm = use == FeedWalk::Timeline::kUse;
  page.upkeep = upkeep_of(read.sources, page.generated_at);
  page.cost.micros = static_cast<std::uint64_t>(clock.steady_ns() - start) / 1000;
  return page;
}

Page hydrated_page(const Snapshot& snapshot, const PageRequest& request, const Clock& clock) {
  Page page = home_feed(snapshot, request, clock);
  hydrate(snapshot, request.viewer, page.items);
  return page;
}

std::vector<FeedItem> new_items(const Snapshot& snapshot, const RefreshRequest& request) {
  check_page_limit(request.limit, limits::kPostPageMax, "posts");
  FeedRead read(snapshot, request.viewer);
  // Usually few entries are new, so the first batch is a page's worth.
  const WalkPlan plan{{request.since, kAboveAllPosts}, Direction::kDown, request.limit + 1};
  const auto use = use_of_timeline(read.sources, std::nullopt);
  FeedWalk walk(snapshot, read.sources, request.viewer, use, plan);
  Collector collector(read, walk, plan.direction, limits::kRefreshCountMax);
  collector.run();
  return std::move(collector).items();
}

Refreshed refresh(const Snapshot& snapshot, const RefreshRequest& request, const Clock& clock) {
  Refreshed result;
  result.items = new_items(snapshot, request);
  result.count = static_cast<std::uint32_t>(result.items.size());
  if (result.items.size() > request.limit) result.items.resize(request.limit);
  result.refreshed_at = clock.now();
  return result;
}

}  // namespace chirp::feed
