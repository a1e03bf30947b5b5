// How a simulated world is compared with its definition.
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ports/reads.h"
#include "tests/support/feed_simulation.h"
#include "tests/support/naive_notices.h"

namespace chirp::test {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Mismatch(message); }

std::string shown(const std::vector<NaiveItem>& items) {
  std::string text;
  for (const NaiveItem& item : items) {
    std::vector<std::uint64_t> reposts;
    for (const PostId id : item.reposts) reposts.push_back(id.value);
    text +=
        fmt::format("{}({}; {}) ", item.original.value, item.entry.value, fmt::join(reposts, " "));
  }
  return text;
}

std::string cursor(const std::optional<PostId>& id) {
  return id ? std::to_string(id->value) : "none";
}

std::string described(const feed::PageRequest& request) {
  return fmt::format("viewer {} below {} above {} limit {} as {}", request.viewer.value,
                     cursor(request.before), cursor(request.after), request.limit,
                     request.as_if ? feed::name(*request.as_if) : "stored");
}

// A small generator of numbers: places to look at are drawn from it.
struct Bits {
  std::uint64_t state;
  std::uint64_t next() {
    state += 0x9e37'79b9'7f4a'7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebULL;
    return z ^ (z >> 31);
  }
};

std::optional<feed::Policy> any_policy(Bits& bits) {
  const std::uint64_t pick = bits.next() % 5;
  if (pick == 4) return std::nullopt;
  return static_cast<feed::Policy>(pick);
}

// At, just below or just above something stored, or at either end.
PostId any_cursor(const World& world, Bits& bits) {
  if (world.posts.empty() || bits.next() % 16 == 0) {
    return bits.next() % 2 == 0 ? kBelowAllPosts : kAboveAllPosts;
  }
  const auto pick = static_cast<std::ptrdiff_t>(bits.next() % world.posts.size());
  return PostId{std::next(world.posts.begin(), pick)->first.value + bits.next() % 3 - 1};
}

feed::PageRequest whole(UserNumber viewer) {
  feed::PageRequest request;
  request.viewer = viewer;
  request.limit = limits::kPostPageMax;
  return request;
}

feed::PageRequest anywhere(UserNumber viewer, const World& world, Bits& bits) {
  feed::PageRequest request;
  request.viewer = viewer;
  request.limit = 1 + static_cast<std::uint32_t>(bits.next() % 8);
  request.as_if = any_policy(bits);
  const PostId at = any_cursor(world, bits);
  if (bits.next() % 2 == 0) {
    request.before = at;
  } else {
    request.after = at;
  }
  return request;
}

std::uint32_t count_edges(const Snapshot& snapshot, UserNumber user) {
  return static_cast<std::uint32_t>(reads::following(snapshot, user, kNobody, 1000).edges.size());
}

}  // namespace

std::vector<NaiveItem> items_of(const feed::Page& page) {
  std::vector<NaiveItem> items;
  for (const feed::FeedItem& item : page.items) {
    if (item.author->number != item.post->author) fail("an item carries another's card");
    items.push_back({item.post->id, item.entry, {}});
    for (const feed::Reposter& reposter : item.reposted_by) {
      items.back().reposts.push_back(reposter.post);
    }
  }
  return items;
}

void compare_page(const feed::Page& page, const feed::PageRequest& request, const World& world,
                  const std::vector<Entry>& feed) {
  NaivePage want = naive_page(world, feed, request.before, request.after, request.limit);
  for (NaiveItem& item : want.items) {
    if (item.reposts.size() > limits::kRepostersShown) item.reposts.resize(limits::kRepostersShown);
  }
  const std::vector<NaiveItem> got = items_of(page);
  if (got != want.items) {
    fail(fmt::format("{}: {} instead of {}", described(request), shown(got), shown(want.items)));
  }
  if (page.has_more != want.has_more) fail(described(request) + ": hasMore is wrong");
  if (page.next_cursor != want.next_cursor || page.prev_cursor != want.prev_cursor) {
    fail(fmt::format("{}: cursors {}, {} instead of {}, {}", described(request),
                     cursor(page.next_cursor), cursor(page.prev_cursor), cursor(want.next_cursor),
                     cursor(want.prev_cursor)));
  }
  for (const feed::FeedItem& item : page.items) {
    const NaivePost& newest = world.posts.at(item.entry);
    const feed::Reason reason = newest.author == request.viewer     ? feed::Reason::kSelf
                                : newest.original == kBelowAllPosts ? feed::Reason::kFollow
                                                                    : feed::Reason::kRepost;
    if (item.reason != reason) fail("an item is there for another reason");
    for (const feed::Reposter& reposter : item.reposted_by) {
      if (world.posts.at(reposter.post).author != reposter.user->number) {
        fail("a repost carries another's card");
      }
    }
  }
}

void Simulation::compare_feeds(const Snapshot& snapshot, const World& world,
                               std::uint32_t drawn) const {
  Bits bits{drawn};
  for (const UserNumber viewer : users_) {
    const std::vector<Entry> feed = naive_feed(world, viewer);
    feed::PageRequest request = whole(viewer);
    compare_page(feed::home_feed(snapshot, request, clock_), request, world, feed);
    request = anywhere(viewer, world, bits);
    compare_page(feed::home_feed(snapshot, request, clock_), request, world, feed);
  }
}

void Simulation::check(const Action& action) const {
  compare_feeds(*storage_.snapshot(), world_, action.x);
}

void Simulation::check_all() const {
  const auto snapshot = storage_.snapshot();
  for (const UserNumber viewer : users_) {
    const auto wrong = feed::verify(*snapshot, viewer, clock_);
    if (wrong.empty()) continue;
    fail(fmt::format("viewer {}, post {}: {}", viewer.value, wrong.front().post.value,
                     wrong.front().problem));
  }
  check_counters(*snapshot);
  const auto breaches = notice_breaches(*snapshot);
  if (!breaches.empty()) fail(breaches.front());
}

void Simulation::check_counters(const Snapshot& snapshot) const {
  const World stored = world_of(snapshot);
  for (const UserNumber user : world_.users) {
    const UserCounters counters = snapshot.counters({&user, 1}).front();
    const auto posts =
        std::count_if(stored.posts.begin(), stored.posts.end(), [&](const auto& post) {
          return post.second.author == user && post.second.privacy != Privacy::kPrivate;
        });
    if (counters.posts != posts) fail(fmt::format("user {}: posts are miscounted", user.value));
    if (counters.following != count_edges(snapshot, user)) {
      fail(fmt::format("user {}: followees are miscounted", user.value));
    }
  }
}

feed::Page Simulation::page(const feed::PageRequest& request) const {
  return feed::home_feed(*storage_.snapshot(), request, clock_);
}

}  // namespace chirp::test
