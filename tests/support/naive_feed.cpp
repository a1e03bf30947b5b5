#include "tests/support/naive_feed.h"

#include <algorithm>

#include "core/ports/reads.h"

namespace chirp::test {
namespace {

PostId original_of(const World& world, PostId id) {
  const PostId original = world.posts.at(id).original;
  return original == kBelowAllPosts ? id : original;
}

// Rule 4 of the definition, of one author.
bool is_hidden(const World& world, UserNumber viewer, UserNumber author) {
  return severed(world, viewer, author) || world.mutes.contains({viewer, author});
}

bool in_feed(const World& world, UserNumber viewer, const NaivePost& post) {
  const bool own = post.author == viewer;
  if (!own && !world.follows.contains({viewer, post.author})) return false;
  if (!naive_present(world, post.author)) return false;
  if (!own && post.privacy == Privacy::kPrivate) return false;
  if (is_hidden(world, viewer, post.author)) return false;
  if (post.original == kBelowAllPosts) return true;
  const auto original = world.posts.find(post.original);
  if (original == world.posts.end()) return false;
  if (!naive_present(world, original->second.author)) return false;
  if (original->second.privacy != Privacy::kPublic) return false;
  if (is_hidden(world, viewer, original->second.author)) return false;
  return !world.reposts_off.contains({viewer, post.author});
}

void read_users(const Snapshot& snapshot, std::uint32_t chunk, World& world) {
  UserNumber user = kNobody;
  for (auto cards = reads::rows_above<tables::Cards>(snapshot, {user}, chunk); !cards.empty();
       cards = reads::rows_above<tables::Cards>(snapshot, {user}, chunk)) {
    for (const AuthorCard& card : cards) {
      if (card.presence != Presence::kRemoved) world.users.insert(card.number);
      if (card.presence == Presence::kSuspended) world.suspended.insert(card.number);
    }
    user = cards.back().number;
  }
}

void read_posts(const Snapshot& snapshot, std::uint32_t chunk, World& world) {
  PostId post = kBelowAllPosts;
  for (auto posts = reads::rows_above<tables::Posts>(snapshot, {post}, chunk); !posts.empty();
       posts = reads::rows_above<tables::Posts>(snapshot, {post}, chunk)) {
    for (const Post& each : posts) {
      world.posts[each.id] = {each.author, each.privacy, each.original};
    }
    post = posts.back().id;
  }
}

// All pairs of one kind, from the lists of everybody who is there.
template <class Read>
Pairs read_pairs(const World& world, Read read) {
  Pairs pairs;
  for (const UserNumber user : world.users) {
    UserNumber after = kNobody;
    for (bool more = true; more;) {
      const EdgePage page = read(user, after);
      for (const Edge& edge : page.edges) pairs.insert({user, edge.other});
      if (!page.edges.empty()) after = page.edges.back().other;
      more = page.more;
    }
  }
  return pairs;
}

}  // namespace

bool severed(const World& world, UserNumber a, UserNumber b) {
  return world.blocks.contains({a, b}) || world.blocks.contains({b, a});
}

bool naive_present(const World& world, UserNumber user) {
  return world.users.contains(user) && !world.suspended.contains(user);
}

bool naive_sees(const World& world, UserNumber user, PostId id) {
  const auto found = world.posts.find(id);
  if (found == world.posts.end()) return false;
  const NaivePost& post = found->second;
  if (!naive_present(world, post.author) || severed(world, user, post.author)) return false;
  const bool own = post.author == user;
  if (!own && post.privacy == Privacy::kPrivate) return false;
  if (!own && post.privacy == Privacy::kFollowers && !world.follows.contains({user, post.author})) {
    return false;
  }
  return post.original == kBelowAllPosts || naive_sees(world, user, post.original);
}

std::vector<Entry> naive_feed(const World& world, UserNumber viewer) {
  std::vector<Entry> feed;
  if (!world.users.contains(viewer)) return feed;
  for (const auto& [id, post] : world.posts) {
    if (in_feed(world, viewer, post)) feed.insert(feed.begin(), {id, post.author});
  }
  return feed;
}

std::vector<NaiveItem> folded_reposts(const World& world, const std::vector<Entry>& entries) {
  std::vector<NaiveItem> items;
  for (const Entry& entry : entries) {
    const PostId original = original_of(world, entry.id);
    auto item = std::find_if(items.begin(), items.end(),
                             [&](const NaiveItem& known) { return known.original == original; });
    if (item == items.end()) item = items.insert(items.end(), {original, entry.id, {}});
    if (entry.id != original) item->reposts.push_back(entry.id);
  }
  return items;
}

NaivePage naive_page(const World& world, const std::vector<Entry>& feed,
                     std::optional<PostId> before, std::optional<PostId> after,
                     std::uint32_t limit) {
  std::vector<Entry> ahead;
  for (const Entry& entry : feed) {
    if ((!before || entry.id < *before) && (!after || entry.id > *after)) ahead.push_back(entry);
  }
  if (after) std::reverse(ahead.begin(), ahead.end());
  // The page ends with the entry that makes its last item.
  std::vector<Entry> consumed;
  std::set<PostId> originals;
  for (const Entry& entry : ahead) {
    if (originals.size() == limit) break;
    consumed.push_back(entry);
    originals.insert(original_of(world, entry.id));
  }
  NaivePage page;
  page.has_more = ahead.size() > consumed.size();
  if (after) std::reverse(consumed.begin(), consumed.end());
  page.items = folded_reposts(world, consumed);
  const bool empty = consumed.empty();
  page.prev_cursor = empty ? (after ? after : before) : consumed.front().id;
  if (after) {
    page.next_cursor = empty ? after : consumed.back().id;
  } else if (page.has_more) {
    page.next_cursor = consumed.back().id;
  }
  return page;
}

World world_of(const Snapshot& snapshot) {
  constexpr std::uint32_t kChunk = 1000;
  World world;
  read_users(snapshot, kChunk, world);
  read_posts(snapshot, kChunk, world);
  world.follows = read_pairs(world, [&](UserNumber user, UserNumber after) {
    return reads::following(snapshot, user, after, kChunk);
  });
  const auto related = [&](Relation relation) {
    return read_pairs(world, [&](UserNumber user, UserNumber after) {
      return reads::related(snapshot, user, relation, after, kChunk);
    });
  };
  world.blocks = related(Relation::kBlock);
  world.mutes = related(Relation::kMute);
  world.reposts_off = related(Relation::kRepostsOff);
  return world;
}

}  // namespace chirp::test
