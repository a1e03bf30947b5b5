#include "tests/support/naive_feed.h"

#include <algorithm>

namespace chirp::test {

std::vector<Entry> naive_feed(const World& world, UserNumber viewer) {
  std::vector<Entry> feed;
  if (!world.users.contains(viewer)) return feed;
  for (const auto& [id, post] : world.posts) {
    const bool own = post.author == viewer;
    if (!own && !world.follows.contains({viewer, post.author})) continue;
    if (!world.users.contains(post.author)) continue;
    if (!own && post.privacy == Privacy::kPrivate) continue;
    feed.insert(feed.begin(), {id, post.author});
  }
  return feed;
}

NaivePage naive_page(const std::vector<Entry>& feed, std::optional<PostId> before,
                     std::optional<PostId> after, std::uint32_t limit) {
  NaivePage page;
  for (const Entry& entry : feed) {
    if ((!before || entry.id < *before) && (!after || entry.id > *after)) {
      page.entries.push_back(entry);
    }
  }
  page.has_more = page.entries.size() > limit;
  if (page.has_more) {
    const auto cut = static_cast<std::ptrdiff_t>(page.entries.size() - limit);
    if (after) {
      page.entries.erase(page.entries.begin(), page.entries.begin() + cut);
    } else {
      page.entries.erase(page.entries.end() - cut, page.entries.end());
    }
  }
  const bool empty = page.entries.empty();
  page.prev_cursor = empty ? (after ? after : before) : page.entries.front().id;
  if (after) {
    page.next_cursor = empty ? after : page.entries.back().id;
  } else if (page.has_more) {
    page.next_cursor = page.entries.back().id;
  }
  return page;
}

World world_of(const Snapshot& snapshot) {
  constexpr std::uint32_t kChunk = 1000;
  World world;
  UserNumber user = kNobody;
  for (auto cards = snapshot.scan_cards(user, kChunk); !cards.empty();
       cards = snapshot.scan_cards(user, kChunk)) {
    for (const AuthorCard& card : cards) {
      if (card.presence == Presence::kPresent) world.users.insert(card.number);
    }
    user = cards.back().number;
  }
  PostId post = kBelowAllPosts;
  for (auto posts = snapshot.scan_posts(post, kChunk); !posts.empty();
       posts = snapshot.scan_posts(post, kChunk)) {
    for (const Post& each : posts) world.posts[each.id] = {each.author, each.privacy};
    post = posts.back().id;
  }
  for (const UserNumber follower : world.users) {
    UserNumber after = kNobody;
    for (bool more = true; more;) {
      const EdgePage page = snapshot.following(follower, after, kChunk);
      for (const Edge& edge : page.edges) world.follows.insert({follower, edge.other});
      if (!page.edges.empty()) after = page.edges.back().other;
      more = page.more;
    }
  }
  return world;
}

}  // namespace chirp::test
