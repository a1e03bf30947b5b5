#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/feed/expected.h"
#include "core/feed/home_feed.h"
#include "core/feed/merge.h"

namespace chirp::feed {
namespace {

// More than so many findings about one feed say nothing new.
constexpr std::size_t kWrongMax = 100;

class Findings {
 public:
  explicit Findings(UserNumber viewer) : viewer_(viewer) {}
  void add(PostId post, std::string problem) {
    if (!full()) wrong_.push_back({viewer_, post, std::move(problem)});
  }
  [[nodiscard]] bool full() const { return wrong_.size() >= kWrongMax; }
  [[nodiscard]] std::vector<Wrong> take() && { return std::move(wrong_); }

 private:
  UserNumber viewer_;
  std::vector<Wrong> wrong_;
};

bool holds(const std::vector<Entry>& newest_first, PostId id) {
  return std::binary_search(newest_first.begin(), newest_first.end(), Entry{id, kNobody}, newer);
}

// ---- the timeline

void check_order(const Timeline& timeline, Findings& findings) {
  for (std::size_t i = 0; i < timeline.entries.size(); ++i) {
    const PostId id = timeline.entries[i].id;
    if (id < timeline.complete_from) {
      findings.add(id, "the timeline holds an entry below its complete-from mark");
    }
    if (i > 0 && id >= timeline.entries[i - 1].id) {
      findings.add(id, "the timeline's entries are not newest first");
    }
  }
}

PostId push_from(const Snapshot& snapshot, const StoreState& state, UserNumber author) {
  const auto mark = snapshot.mark(author);
  return mark ? std::max(state.push_from_all, mark->push_from) : state.push_from_all;
}

void check_timeline(const Snapshot& snapshot, UserNumber viewer, Findings& findings) {
  const FeedSources sources = snapshot.feed_sources(viewer);
  if (!sources.has_timeline) return;
  const auto timeline = snapshot.timeline(viewer);
  if (!timeline) {
    findings.add(kBelowAllPosts, "the timeline is said to be there, and is not");
    return;
  }
  check_order(*timeline, findings);
  ExpectedFeed expected(snapshot, viewer, Direction::kDown);
  std::vector<PostId> marks;
  for (const UserNumber author : expected.authors()) {
    marks.push_back(push_from(snapshot, sources.state, author));
  }
  for (; !findings.full(); expected.pop()) {
    const Entry* entry = expected.head();
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

// Reads a whole feed page by page, and is told what should come.
class Reading {
 public:
  Reading(const Snapshot& snapshot, UserNumber viewer, const Clock& clock,
          std::optional<Policy> as_if, Direction direction, Findings& findings)
      : snapshot_(snapshot), clock_(clock), direction_(direction), findings_(findings) {
    request_.viewer = viewer;
    request_.limit = limits::kPostPageMax;
    request_.as_if = as_if;
    if (direction == Direction::kUp) request_.after = kBelowAllPosts;
    fetch();
  }

  // The next entry of the feed.
  void expect(const Entry& entry) {
    turn_page();
    while (const FeedItem* item = head()) {
      if (!ahead(item->post.id, entry.id)) break;
      refuse(*item);
      if (findings_.full()) return;
    }
    const FeedItem* item = head();
    if (item == nullptr || item->post.id != entry.id) {
      add(entry.id, "missing");
      return;
    }
    if (entry.author != item->author.number) add(entry.id, "shown with another's name");
    ++position_;
  }

  // There are no more.
  void expect_end() {
    while (const FeedItem* item = head()) {
      refuse(*item);
      if (findings_.full()) return;
    }
    if (page_.has_more) add(kBelowAllPosts, "hasMore says that something is left");
  }

 private:
  // The next item of the pages; null at the end of the feed as it is read.
  const FeedItem* head() {
    if (position_ == page_.items.size()) return nullptr;
    const std::size_t last = page_.items.size() - 1;
    return &page_.items[direction_ == Direction::kDown ? position_ : last - position_];
  }

  void refuse(const FeedItem& item) {
    add(item.post.id, "shown, though it is not in the feed or came before");
    ++position_;
    if (position_ == page_.items.size() && page_.has_more) turn_page();
  }

  // Goes to the next page when one is used up and there is more to come.
  void turn_page() {
    if (ended_ || position_ < page_.items.size()) return;
    ended_ = !page_.has_more;
    if (ended_) return add(kBelowAllPosts, "hasMore says that nothing is left");
    if (page_.items.size() < request_.limit) {
      add(kBelowAllPosts, "a page is short with more behind it");
    }
    const auto& next = direction_ == Direction::kDown ? page_.next_cursor : page_.prev_cursor;
    ended_ = !next || page_.items.empty();
    if (ended_) return add(kBelowAllPosts, "a page with more behind it leads nowhere");
    (direction_ == Direction::kDown ? request_.before : request_.after) = next;
    fetch();
  }

  void fetch() {
    page_ = home_feed(snapshot_, request_, clock_);
    position_ = 0;
  }
  [[nodiscard]] bool ahead(PostId a, PostId b) const {
    return direction_ == Direction::kDown ? a > b : a < b;
  }
  void add(PostId post, std::string_view problem) {
    findings_.add(post, fmt::format("{} (reading {} as {})", problem,
                                    direction_ == Direction::kDown ? "down" : "up",
                                    request_.as_if ? name(*request_.as_if) : "stored"));
  }

  const Snapshot& snapshot_;
  const Clock& clock_;
  Direction direction_;
  Findings& findings_;
  PageRequest request_;
  Page page_;
  std::size_t position_ = 0;  // in page_, in the direction of reading
  bool ended_ = false;
};

// Policies that are read differently: of those that walk alike the first, the stored one before
// all.
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

// The feed is worked out once, and every reading of it is held against that.
void check_pages(const Snapshot& snapshot, UserNumber viewer, const Clock& clock,
                 std::span<const std::optional<Policy>> policies, Direction direction,
                 Findings& findings) {
  std::vector<Reading> readings;
  readings.reserve(policies.size());
  for (const auto& as_if : policies) {
    readings.emplace_back(snapshot, viewer, clock, as_if, direction, findings);
  }
  ExpectedFeed expected(snapshot, viewer, direction);
  for (; expected.head() != nullptr && !findings.full(); expected.pop()) {
    for (Reading& reading : readings) reading.expect(*expected.head());
  }
  if (findings.full()) return;
  for (Reading& reading : readings) reading.expect_end();
}

}  // namespace

std::vector<Wrong> verify_timeline(const Snapshot& snapshot, UserNumber viewer) {
  Findings findings(viewer);
  check_timeline(snapshot, viewer, findings);
  return std::move(findings).take();
}

std::vector<Wrong> verify(const Snapshot& snapshot, UserNumber viewer, const Clock& clock) {
  Findings findings(viewer);
  check_timeline(snapshot, viewer, findings);
  const auto policies = policies_apart(snapshot.feed_sources(viewer));
  for (const Direction direction : {Direction::kDown, Direction::kUp}) {
    check_pages(snapshot, viewer, clock, policies, direction, findings);
  }
  return std::move(findings).take();
}

}  // namespace chirp::feed
