#include "core/feed/folding.h"

#include <algorithm>
#include <utility>

#include "core/feed/rules.h"
#include "core/limits.h"

namespace chirp::feed {
namespace {

// Newest reposters first; keeps only as many as are shown.
void add_reposter(FeedItem& item, Direction direction, Reposter reposter) {
  auto& all = item.reposted_by;
  if (direction == Direction::kUp) {
    all.insert(all.begin(), std::move(reposter));
    if (all.size() > limits::kRepostersShown) all.pop_back();
  } else if (all.size() < limits::kRepostersShown) {
    all.push_back(std::move(reposter));
  }
}

}  // namespace

Folding::Folding(UserNumber viewer, Direction direction, std::uint32_t limit)
    : viewer_(viewer), direction_(direction), limit_(limit) {
  items_.reserve(std::min(limit, limits::kPostPageMax));
}

FeedItem* Folding::add(Shown shown) {
  ++cost_.examined;
  cost_.sources = shown.reached;
  more_ = items_.size() == limit_;
  if (more_) return nullptr;
  const PostId id = shown.entry.id;
  if (!first_) first_ = id;
  last_ = id;
  const Reason reason = Rules::reason_of(viewer_, *shown.post);
  std::optional<Reposter> reposter;
  if (shown.original) {
    reposter = Reposter{id, std::move(shown.author), shown.post->created_at};
  }
  FeedItem& item = item_of(shown);
  if (id > item.entry) {  // a new item, or upwards any item
    item.entry = id;
    item.reason = reason;
    item.source = shown.source;
  }
  if (reposter) add_reposter(item, direction_, std::move(*reposter));
  return &item;
}

// Finds the item of the entry's original, or makes one that takes over the post.
FeedItem& Folding::item_of(Shown& shown) {
  const PostId original = shown.subject().id;
  const auto known = std::find_if(items_.begin(), items_.end(),
                                  [&](const FeedItem& item) { return item.post->id == original; });
  if (known != items_.end()) {
    if (direction_ == Direction::kDown) return *known;
    // Upwards, later entries are newer, so the item moves to the end.
    std::rotate(known, known + 1, items_.end());
    return items_.back();
  }
  FeedItem& item = items_.emplace_back();
  item.post = shown.original ? std::move(shown.original) : std::move(shown.post);
  item.author = std::move(shown.original_author ? shown.original_author : shown.author);
  item.printed = shown.printed;
  return item;
}

std::vector<FeedItem> Folding::items() && {
  if (direction_ == Direction::kUp) std::reverse(items_.begin(), items_.end());
  return std::move(items_);
}

Page page_of(Folding folding, const PageRequest& request) {
  Page page;
  page.has_more = folding.more();
  page.cost = folding.cost();
  if (request.after) {
    page.next_cursor = folding.first() ? folding.first() : request.after;
    page.prev_cursor = folding.last() ? folding.last() : request.after;
  } else {
    page.prev_cursor = folding.first() ? folding.first() : request.before;
    if (page.has_more) page.next_cursor = folding.last();
  }
  page.items = std::move(folding).items();
  return page;
}

namespace {

constexpr std::uint32_t kFetchMin = 8;
constexpr std::uint32_t kFetchMax = 1024;

}  // namespace

void Collector::run() {
  std::vector<Shown> batch;
  std::uint32_t fetch = std::min(folding_.missing() + 1, kFetchMax);
  for (;;) {
    if (!shown_.next(fetch, batch)) return folding_.end(shown_.sources());
    const std::uint32_t before = folding_.missing();
    for (Shown& shown : batch) {
      if (folding_.add(std::move(shown)) == nullptr) return;
    }
    // Folding makes fewer items than entries. So the next batch is half as large again as the
    // number of missing items, and doubles while no item is added. Entries of an author who is now
    // skipped say nothing about the next entries.
    const std::uint32_t missing = folding_.missing() + 1;
    if (shown_.left_out()) {
      fetch = missing;
    } else {
      fetch = missing == before + 1 ? fetch * 2 : std::max(missing + missing / 2, kFetchMin);
    }
    fetch = std::min(fetch, kFetchMax);
  }
}

}  // namespace chirp::feed
