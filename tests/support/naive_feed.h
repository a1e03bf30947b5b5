// The oracle: a home feed straight from its definition, over plain sets.
//
// Slow and obviously right. It never uses the engine; the engine's results are compared with it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/model/post.h"
#include "core/ports/snapshot.h"

namespace chirp::test {

struct NaivePost {
  UserNumber author;
  Privacy privacy = Privacy::kPublic;
  PostId original{};  // of a repost

  bool operator==(const NaivePost&) const = default;
};

using Pairs = std::set<std::pair<UserNumber, UserNumber>>;

struct World {
  std::set<UserNumber> users;         // existing users, without removed ones
  std::set<UserNumber> suspended;     // a subset of `users`
  std::map<PostId, NaivePost> posts;  // existing posts
  Pairs follows;                      // follower, followee
  Pairs blocks;                       // blocker, blocked
  Pairs mutes;                        // muter, muted
  Pairs reposts_off;                  // follower, followee
};

// An item of a page: an original, and the entries that show it.
struct NaiveItem {
  PostId original;
  PostId entry;                 // the newest
  std::vector<PostId> reposts;  // newest first

  bool operator==(const NaiveItem&) const = default;
};

struct NaivePage {
  std::vector<NaiveItem> items;  // newest first
  std::optional<PostId> next_cursor;
  std::optional<PostId> prev_cursor;
  bool has_more = false;
};

// Whether either user has blocked the other.
[[nodiscard]] bool severed(const World& world, UserNumber a, UserNumber b);

// Whether the user exists and is not suspended.
[[nodiscard]] bool naive_present(const World& world, UserNumber user);

// Whether the user may see a post anywhere, by privacy, blocks, removals and suspensions.
[[nodiscard]] bool naive_sees(const World& world, UserNumber user, PostId id);

// Everything in the viewer's feed, newest first.
[[nodiscard]] std::vector<Entry> naive_feed(const World& world, UserNumber viewer);

// Groups entries (newest first) into items: each original at its newest entry.
[[nodiscard]] std::vector<NaiveItem> folded_reposts(const World& world,
                                                    const std::vector<Entry>& entries);

// A page of such a feed: below `before`, or above `after`, or the newest. At most one cursor.
[[nodiscard]] NaivePage naive_page(const World& world, const std::vector<Entry>& feed,
                                   std::optional<PostId> before, std::optional<PostId> after,
                                   std::uint32_t limit);

// The world in a store, read from its records alone.
[[nodiscard]] World world_of(const Snapshot& snapshot);

}  // namespace chirp::test
