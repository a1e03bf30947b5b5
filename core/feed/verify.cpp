#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/feed/expected.h"
#include "core/feed/home_feed.h"

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

class PageCheck {
 public:
  PageCheck(const Snapshot& snapshot, UserNumber viewer, const Clock& clock,
            std::optional<Policy> as_if, Direction direction, Findings& findings)
      : snapshot_(snapshot),
        clock_(clock),
        direction_(direction),
        expected_(snapshot, viewer, direction),
        findings_(findings) {
    request_.viewer = viewer;
    request_.limit = limits::kPostPageMax;
    request_.as_if = as_if;
    if (direction == Direction::kUp) request_.after = kBelowAllPosts;
  }

  void run() {
    for (;;) {
      const Page page = home_feed(snapshot_, request_, clock_);
      compare(page);
      if (findings_.full() || !page.has_more) break;
      const auto& next = direction_ == Direction::kDown ? page.next_cursor : page.prev_cursor;
      if (!next || page.items.empty()) {
        add(kBelowAllPosts, "a page with more behind it leads nowhere");
        return;
      }
      (direction_ == Direction::kDown ? request_.before : request_.after) = next;
    }
    for (; !findings_.full() && expected_.head() != nullptr; expected_.pop()) {
      add(expected_.head()->id, "missing");
    }
  }

 private:
  void compare(const Page& page) {
    const std::size_t count = page.items.size();
    for (std::size_t i = 0; i < count; ++i) {
      take(page.items[direction_ == Direction::kDown ? i : count - 1 - i]);
    }
    const bool more = expected_.head() != nullptr;
    if (page.has_more != more) add(kBelowAllPosts, "hasMore says the opposite of what is left");
    if (more && count < request_.limit) add(kBelowAllPosts, "a page is short with more behind it");
  }

  void take(const FeedItem& item) {
    for (const Entry* entry = expected_.head(); entry != nullptr && ahead(entry->id, item.post.id);
         entry = expected_.head()) {
      add(entry->id, "missing");
      expected_.pop();
    }
    const Entry* entry = expected_.head();
    if (entry == nullptr || entry->id != item.post.id) {
      add(item.post.id, "shown, though it is not in the feed or came before");
      return;
    }
    if (entry->author != item.author.number) add(item.post.id, "shown with another's name");
    expected_.pop();
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
  ExpectedFeed expected_;
  PageRequest request_;
  Findings& findings_;
};

}  // namespace

std::vector<Wrong> verify_timeline(const Snapshot& snapshot, UserNumber viewer) {
  Findings findings(viewer);
  check_timeline(snapshot, viewer, findings);
  return std::move(findings).take();
}

std::vector<Wrong> verify(const Snapshot& snapshot, UserNumber viewer, const Clock& clock) {
  Findings findings(viewer);
  check_timeline(snapshot, viewer, findings);
  std::vector<std::optional<Policy>> readings{std::nullopt};
  const Policy stored = snapshot.state().settings.policy;
  for (const Policy policy : {Policy::kPush, Policy::kPull, Policy::kHybrid, Policy::kCost}) {
    if (policy != stored) readings.emplace_back(policy);
  }
  for (const auto& as_if : readings) {
    for (const Direction direction : {Direction::kDown, Direction::kUp}) {
      PageCheck(snapshot, viewer, clock, as_if, direction, findings).run();
    }
  }
  return std::move(findings).take();
}

}  // namespace chirp::feed
