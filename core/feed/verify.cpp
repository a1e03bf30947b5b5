#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/feed/expected.h"
#include "core/feed/expected_page.h"
#include "core/feed/home_feed.h"
#include "core/feed/merge.h"
#include "core/limits.h"

namespace chirp::feed {
namespace {

// Findings about one feed beyond this number are dropped.
constexpr std::size_t kWrongMax = 100;

class FeedDifferences {
 public:
  explicit FeedDifferences(UserNumber viewer) : viewer_(viewer) {}
  void add(PostId post, std::string problem) {
    if (!full()) wrong_.push_back({viewer_, post, std::move(problem)});
  }
  [[nodiscard]] bool full() const { return wrong_.size() >= kWrongMax; }
  [[nodiscard]] std::vector<FeedError> take() && { return std::move(wrong_); }

 private:
  UserNumber viewer_;
  std::vector<FeedError> wrong_;
};

bool holds(const std::vector<Entry>& newest_first, PostId id) {
  return std::binary_search(newest_first.begin(), newest_first.end(), Entry{id, kNobody}, newer);
}

// ---- the timeline

void check_order(const Timeline& timeline, FeedDifferences& findings) {
  for (std::size_t i = 0; i < timeline.entries.size(); ++i) {
    const PostId id = timeline.entries[i].id;
    if (id < timeline.complete_from) {
      findings.add(id, "the timeline has an entry below its complete-from mark");
    }
    if (i > 0 && id >= timeline.entries[i - 1].id) {
      findings.add(id, "the timeline's entries are not newest first");
    }
  }
}

PostId push_from(const Snapshot& snapshot, const StoreState& state, UserNumber author) {
  const auto mark = snapshot.find(tables::Marks::Key{author});
  return mark ? std::max(state.push_from_all, mark->push_from) : state.push_from_all;
}

void check_timeline(const Snapshot& snapshot, UserNumber viewer, FeedDifferences& findings) {
  const FeedSources sources = snapshot.feed_sources(viewer);
  if (!sources.has_timeline) return;
  const auto timeline = snapshot.timeline(viewer);
  if (!timeline) {
    findings.add(kBelowAllPosts, "the timeline is marked as present, but is missing");
    return;
  }
  check_order(*timeline, findings);
  ExpectedFeed expected(snapshot, viewer, Direction::kDown);
  std::vector<PostId> marks;
  for (const UserNumber author : expected.authors()) {
    marks.push_back(push_from(snapshot, sources.state, author));
  }
  for (; !findings.full(); expected.pop()) {
    // The timeline also has entries that a rule hides now, because the rule may be undone.
    const ExpectedEntry* next = expected.any_head();
    const Entry* entry = next == nullptr ? nullptr : &next->entry;
    if (entry == nullptr || entry->id < timeline->complete_from) return;
    const auto at =
        std::lower_bound(expected.authors().begin(), expected.authors().end(), entry->author);
    const auto mark = marks[static_cast<std::size_t>(at - expected.authors().begin())];
    if (entry->id < mark || holds(timeline->entries, entry->id)) continue;
    if (holds(sources.pending, entry->id)) continue;
    findings.add(entry->id, "missing from the timeline");
  }
}

// ---- the pages

// Reads a whole feed page by page, and compares it with the entries given to expect().
class FeedReading {
 public:
  FeedReading(const Snapshot& snapshot, UserNumber viewer, const Clock& clock,
              std::optional<Policy> as_if, Direction direction, FeedDifferences& findings)
      : snapshot_(snapshot),
        clock_(clock),
        direction_(direction),
        findings_(findings),
        entries_(direction) {
    request_.viewer = viewer;
    request_.limit = limits::kPostPageMax;
    request_.as_if = as_if;
    if (direction == Direction::kUp) request_.after = kBelowAllPosts;
    page_ = home_feed(snapshot_, request_, clock_);
  }

  // The next entry of the feed.
  void expect(const ExpectedEntry& next) {
    while (!ended_ && is_behind_page(next.entry.id) && !findings_.full()) turn_page();
    if (ended_) {
      add(next.original, "missing");
    } else {
      entries_.take(next);
    }
  }

  // There are no more entries.
  void expect_end() {
    while (!ended_ && !findings_.full()) {
      if (page_.has_more) add(kBelowAllPosts, "hasMore says that more is left");
      turn_page();
    }
  }

 private:
  // The last entry consumed by the page.
  [[nodiscard]] const std::optional<PostId>& end() const {
    return direction_ == Direction::kDown ? page_.next_cursor : page_.prev_cursor;
  }
  [[nodiscard]] bool is_behind_page(PostId id) const {
    if (!page_.has_more) return entries_.size() > request_.limit;
    return !end() || (direction_ == Direction::kDown ? *end() > id : *end() < id);
  }

  void turn_page() {
    const bool full = entries_.size() == request_.limit;
    if (full && entries_.last_joined()) {
      add(entries_.last().original, "folded into a page that was full");
    }
    if (page_.has_more && page_.items.size() < request_.limit) {
      add(kBelowAllPosts, "a page is short although more follows");
    }
    compare_items();
    entries_ = ExpectedPage(direction_);
    ended_ = !page_.has_more;
    if (ended_) return;
    ended_ = !end() || page_.items.empty();
    if (ended_) return add(kBelowAllPosts, "a page has no cursor although more follows");
    (direction_ == Direction::kDown ? request_.before : request_.after) = end();
    page_ = home_feed(snapshot_, request_, clock_);
  }

  void compare_items() {
    const PostId last = entries_.last().original;
    const bool shows_last =
        entries_.size() == 0 ||
        std::any_of(page_.items.begin(), page_.items.end(),
                    [&](const FeedItem& item) { return item.post->id == last; });
    if (!shows_last && !page_.has_more) add(kBelowAllPosts, "hasMore says that nothing is left");
    const std::vector<ExpectedItem> places = std::move(entries_).places();
    std::size_t at = 0;
    for (const FeedItem& item : page_.items) {
      const auto rest = places.begin() + static_cast<std::ptrdiff_t>(at);
      const auto found = std::find_if(rest, places.end(), [&](const ExpectedItem& place) {
        return place.original == item.post->id;
      });
      if (found == places.end()) {
        add(item.post->id, "shown although it is not in the feed or was shown before");
        continue;
      }
      for (auto passed = rest; passed != found; ++passed) add(passed->original, "missing");
      if (const auto problem = found->problem_of(item)) add(item.post->id, *problem);
      at = static_cast<std::size_t>(found - places.begin()) + 1;
    }
    for (; at < places.size(); ++at) add(places[at].original, "missing");
  }

  void add(PostId post, std::string_view problem) {
    findings_.add(post, fmt::format("{} (reading {} as {})", problem,
                                    direction_ == Direction::kDown ? "down" : "up",
                                    request_.as_if ? name(*request_.as_if) : "stored"));
  }

  const Snapshot& snapshot_;
  const Clock& clock_;
  Direction direction_;
  FeedDifferences& findings_;
  PageRequest request_;
  Page page_;
  ExpectedPage entries_;  // entries that page_ must show
  bool ended_ = false;
};

// One policy for each way of reading a feed, the current policy first.
std::vector<std::optional<Policy>> policies_apart(const FeedSources& sources) {
  std::vector<std::optional<Policy>> apart{std::nullopt};
  for (const Policy policy : {Policy::kPush, Policy::kPull, Policy::kHybrid, Policy::kCost}) {
    const bool alike = std::any_of(apart.begin(), apart.end(), [&](const auto& other) {
      return use_of_timeline(sources, other) == use_of_timeline(sources, policy);
    });
    if (!alike) apart.emplace_back(policy);
  }
  return apart;
}

// The expected feed is computed once, and compared with every way of reading.
void check_pages(const Snapshot& snapshot, UserNumber viewer, const Clock& clock,
                 std::span<const std::optional<Policy>> policies, Direction direction,
                 FeedDifferences& findings) {
  std::vector<FeedReading> readings;
  readings.reserve(policies.size());
  for (const auto& as_if : policies) {
    readings.emplace_back(snapshot, viewer, clock, as_if, direction, findings);
  }
  ExpectedFeed expected(snapshot, viewer, direction);
  for (; expected.head() != nullptr && !findings.full(); expected.pop()) {
    for (FeedReading& reading : readings) reading.expect(*expected.head());
  }
  if (findings.full()) return;
  for (FeedReading& reading : readings) reading.expect_end();
}

}  // namespace

std::vector<FeedError> verify_timeline(const Snapshot& snapshot, UserNumber viewer) {
  FeedDifferences findings(viewer);
  check_timeline(snapshot, viewer, findings);
  return std::move(findings).take();
}

std::vector<FeedError> verify(const Snapshot& snapshot, UserNumber viewer, const Clock& clock) {
  FeedDifferences findings(viewer);
  check_timeline(snapshot, viewer, findings);
  const auto policies = policies_apart(snapshot.feed_sources(viewer));
  for (const Direction direction : {Direction::kDown, Direction::kUp}) {
    check_pages(snapshot, viewer, clock, policies, direction, findings);
  }
  return std::move(findings).take();
}

}  // namespace chirp::feed
