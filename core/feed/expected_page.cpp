#include "core/feed/expected_page.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "core/feed/home_feed.h"
#include "core/feed/page.h"
#include "core/limits.h"
#include "core/ports/reads.h"

namespace chirp::feed {
namespace {

// The page that the definition requires.
struct Definition {
  std::vector<ExpectedItem> places;
  bool more = false;
  std::optional<PostId> next_cursor;
  std::optional<PostId> prev_cursor;
};

Definition defined(const Snapshot& snapshot, const PageRequest& request) {
  const bool up = request.after.has_value();
  const Direction direction = up ? Direction::kUp : Direction::kDown;
  IdRange bounds;
  if (request.after) bounds.above = *request.after;
  if (request.before) bounds.below = *request.before;
  ExpectedFeed feed(snapshot, request.viewer, direction, bounds);
  ExpectedPage page(direction);
  const std::optional<PostId> start = up ? request.after : request.before;
  std::optional<PostId> first = start;
  std::optional<PostId> last = start;
  bool any = false;
  for (; feed.head() != nullptr && page.size() < request.limit; feed.pop()) {
    page.take(*feed.head());
    last = page.last().entry.id;
    if (!std::exchange(any, true)) first = last;
  }
  Definition definition;
  definition.more = feed.head() != nullptr;
  definition.places = std::move(page).places();
  if (up) {
    definition.next_cursor = first;
    definition.prev_cursor = last;
  } else {
    if (definition.more) definition.next_cursor = last;
    definition.prev_cursor = first;
  }
  return definition;
}

// Compares the post and the cards on the page with the store.
std::optional<std::string_view> stale_in(const Snapshot& snapshot, const FeedItem& item) {
  const auto is_card = [&](const Shared<AuthorCard>& card) {
    const auto stored = reads::cards(snapshot, {&card->number, 1}).front();
    return stored && *stored == *card;
  };
  const auto post = snapshot.post(item.post->id);
  if (!post || *post != *item.post) return "another post than the store has";
  if (!is_card(item.author)) return "another card of its author than the store has";
  for (const Reposter& by : item.reposted_by) {
    if (!is_card(by.user)) return "another card of a reposter than the store has";
  }
  return std::nullopt;
}

std::optional<std::string_view> wrong_stats(const FeedItem& item, const PostStats& stored) {
  if (item.stats.counters != stored.counters) return "other counts than the store has";
  if (item.stats.reaction != stored.reaction) return "another reaction than the store has";
  if (item.stats.reposted != stored.reposted)
    return "another repost of its reader than the store has";
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> ExpectedItem::problem_of(const FeedItem& item) const {
  if (item.author->number != author) return "shown with the name of another user";
  const bool same =
      std::equal(item.reposted_by.begin(), item.reposted_by.end(), reposts.begin(), reposts.end(),
                 [](const Reposter& by, PostId wanted) { return by.post == wanted; });
  if (!same || item.entry != newest) return "folded differently";
  return std::nullopt;
}

void ExpectedPage::take(const ExpectedEntry& next) {
  const PostId id = next.entry.id;
  auto place = std::find_if(places_.begin(), places_.end(),
                            [&](const ExpectedItem& p) { return p.original == next.original; });
  joined_ = place != places_.end();
  if (!joined_) {
    place = places_.insert(place, {next.original, next.original_author, id, {}});
  }
  place->newest = std::max(place->newest, id);
  if (id != next.original) place->reposts.push_back(id);
  last_ = next;
}

std::vector<ExpectedItem> ExpectedPage::places() && {
  for (ExpectedItem& place : places_) {
    if (direction_ == Direction::kUp) std::reverse(place.reposts.begin(), place.reposts.end());
    if (place.reposts.size() > limits::kRepostersShown) {
      place.reposts.resize(limits::kRepostersShown);
    }
  }
  std::sort(places_.begin(), places_.end(),
            [](const ExpectedItem& a, const ExpectedItem& b) { return a.newest > b.newest; });
  return std::move(places_);
}

std::optional<FeedError> wrong_in(const Snapshot& snapshot, const PageRequest& request,
                                  const Page& page) {
  const auto wrong = [&](PostId post, std::string_view problem) {
    return FeedError{request.viewer, post, std::string(problem)};
  };
  const Definition want = defined(snapshot, request);
  std::vector<FeedItem> items = page.items;
  for (std::size_t i = 0; i < std::max(items.size(), want.places.size()); ++i) {
    if (i >= items.size()) return wrong(want.places[i].original, "missing");
    const PostId post = items[i].post->id;
    if (i >= want.places.size() || want.places[i].original != post) {
      return wrong(post, "shown where something else is due");
    }
    if (const auto problem = want.places[i].problem_of(items[i])) return wrong(post, *problem);
    if (const auto problem = stale_in(snapshot, items[i])) return wrong(post, *problem);
  }
  if (page.has_more != want.more) return wrong(kBelowAllPosts, "hasMore is wrong");
  if (page.next_cursor != want.next_cursor || page.prev_cursor != want.prev_cursor) {
    return wrong(kBelowAllPosts, "a cursor is wrong");
  }
  hydrate(snapshot, request.viewer, items);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto problem = wrong_stats(page.items[i], items[i].stats);
    if (problem) return wrong(items[i].post->id, *problem);
  }
  return std::nullopt;
}

}  // namespace chirp::feed
