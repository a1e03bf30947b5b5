#include "core/feed/home_feed.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/feed/merge.h"
#include "core/feed/rules.h"

namespace chirp::feed {
namespace {

constexpr std::uint32_t kFetchMax = 1024;

void check_request(const PageRequest& request) {
  if (request.limit < 1 || request.limit > limits::kPostPageMax) {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("a page holds 1 to {} posts, not {}", limits::kPostPageMax, request.limit),
        "limit");
  }
  if (request.before && request.after) {
    throw Error(ErrorCode::kInvalidArgument,
                "a page goes down from a cursor or up from one, not both", "after");
  }
}

// The cards of a page's authors, each fetched once.
class Cards {
 public:
  explicit Cards(const Snapshot& snapshot) : snapshot_(snapshot) {}

  void fetch(std::span<const std::optional<Post>> posts) {
    std::vector<UserNumber> missing;
    missing.reserve(posts.size());
    for (const auto& post : posts) {
      if (post && find(post->author) == nullptr) missing.push_back(post->author);
    }
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    if (missing.empty()) return;
    const std::size_t before = cards_.size();
    for (auto& card : snapshot_.cards(missing)) {
      if (card) cards_.push_back(std::move(*card));
    }
    std::inplace_merge(cards_.begin(), cards_.begin() + static_cast<std::ptrdiff_t>(before),
                       cards_.end(), by_number);
  }

  [[nodiscard]] const AuthorCard* find(UserNumber number) const {
    const auto at = std::lower_bound(
        cards_.begin(), cards_.end(), number,
        [](const AuthorCard& card, UserNumber wanted) { return card.number < wanted; });
    return at != cards_.end() && at->number == number ? &*at : nullptr;
  }

 private:
  static bool by_number(const AuthorCard& a, const AuthorCard& b) { return a.number < b.number; }

  const Snapshot& snapshot_;
  std::vector<AuthorCard> cards_;  // by number
};

// Takes entries off a walk until a page is full and one more is seen, fetching posts in batches.
class Collector {
 public:
  Collector(const Snapshot& snapshot, const Rules& rules, Walk& walk, std::uint32_t limit)
      : snapshot_(snapshot), rules_(rules), walk_(walk), limit_(limit), cards_(snapshot) {
    items_.reserve(limit);
  }

  void run() {
    std::uint32_t fetch = limit_ + 1;
    while (!more_ && take(fetch)) {
      hydrate();
      fetch = std::min(std::max(fetch, limit_ + 1) * 2, kFetchMax);
    }
  }

  [[nodiscard]] std::vector<FeedItem> items() && { return std::move(items_); }
  // Whether an entry that would be shown is left.
  [[nodiscard]] bool more() const { return more_; }

 private:
  // The next candidates, at most `count`; false at the end of the walk.
  bool take(std::uint32_t count) {
    entries_.clear();
    sources_.clear();
    while (entries_.size() < count) {
      const auto candidate = walk_.next();
      if (!candidate) break;
      if (!rules_.admits(candidate->entry)) continue;
      entries_.push_back(candidate->entry);
      sources_.push_back(candidate->source);
    }
    return !entries_.empty();
  }

  void hydrate() {
    auto posts = snapshot_.posts(entries_);
    cards_.fetch(posts);
    for (std::size_t i = 0; i < posts.size() && !more_; ++i) {
      if (!posts[i]) continue;
      const AuthorCard* author = cards_.find(posts[i]->author);
      if (author == nullptr || !rules_.shows(entries_[i], *posts[i], *author)) continue;
      more_ = items_.size() == limit_;
      if (more_) return;
      items_.push_back({std::move(*posts[i]), *author, rules_.reason(entries_[i]), sources_[i]});
    }
  }

  const Snapshot& snapshot_;
  const Rules& rules_;
  Walk& walk_;
  std::uint32_t limit_;
  Cards cards_;
  std::vector<Entry> entries_;
  std::vector<Source> sources_;  // of entries_
  std::vector<FeedItem> items_;
  bool more_ = false;
};

WalkPlan plan_of(const PageRequest& request) {
  WalkPlan plan;
  if (request.before) plan.range.below = *request.before;
  if (request.after) {
    plan.range.above = *request.after;
    plan.direction = Direction::kUp;
  }
  // One more tells whether there is more; a few of what a timeline holds may be gone.
  plan.batch = request.limit + 1 + request.limit / 8;
  return plan;
}

void set_cursors(Page& page, const PageRequest& request) {
  const bool up = request.after.has_value();
  if (page.items.empty()) {
    page.prev_cursor = up ? request.after : request.before;
    if (up) page.next_cursor = request.after;
    return;
  }
  page.prev_cursor = page.items.front().post.id;
  if (up || page.has_more) page.next_cursor = page.items.back().post.id;
}

std::int64_t day_of(Time time) {
  return time.ms >= 0 ? time.ms / kDayMs : (time.ms + 1) / kDayMs - 1;
}

Upkeep upkeep_of(const FeedSources& sources, Time now) {
  if (sources.following.size() > limits::kPullOnlyFollowees) {
    return sources.has_timeline ? Upkeep::kDrop : Upkeep::kNone;
  }
  if (!sources.has_timeline) {
    // While everything is pulled a timeline would be built and never read.
    return sources.state.push_from_all == kNeverPushed ? Upkeep::kNone : Upkeep::kBuild;
  }
  return day_of(now) > day_of(sources.last_read) ? Upkeep::kNoteRead : Upkeep::kNone;
}

}  // namespace

Page home_feed(const Snapshot& snapshot, const PageRequest& request, const Clock& clock) {
  check_request(request);
  const std::int64_t start = clock.steady_ns();
  const FeedSources sources = snapshot.feed_sources(request.viewer);
  Walk walk(snapshot, sources, request.viewer, use_of_timeline(sources, request.as_if),
            plan_of(request));
  const Rules rules(request.viewer, sources.following);
  Collector collector(snapshot, rules, walk, request.limit);
  collector.run();

  Page page;
  page.has_more = collector.more();
  page.items = std::move(collector).items();
  if (request.after) std::reverse(page.items.begin(), page.items.end());
  set_cursors(page, request);
  page.generated_at = clock.now();
  page.warm = sources.has_timeline;
  page.upkeep = upkeep_of(sources, page.generated_at);
  page.cost.sources = walk.sources();
  page.cost.examined = walk.examined();
  page.cost.micros = static_cast<std::uint64_t>(clock.steady_ns() - start) / 1000;
  return page;
}

}  // namespace chirp::feed
