// The oracle: a home feed straight from its definition, over plain sets.
//
// Slow and obviously right. It never asks the engine; what the engine says is compared with it.
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
};

struct World {
  std::set<UserNumber> users;                           // who is there; removed ones are not
  std::map<PostId, NaivePost> posts;                    // what exists
  std::set<std::pair<UserNumber, UserNumber>> follows;  // follower, followee
};

struct NaivePage {
  std::vector<Entry> entries;  // newest first
  std::optional<PostId> next_cursor;
  std::optional<PostId> prev_cursor;
  bool has_more = false;
};

// Everything in the viewer's feed, newest first.
[[nodiscard]] std::vector<Entry> naive_feed(const World& world, UserNumber viewer);

// A page of such a feed: below `before`, or above `after`, or the newest. At most one cursor.
[[nodiscard]] NaivePage naive_page(const std::vector<Entry>& feed, std::optional<PostId> before,
                                   std::optional<PostId> after, std::uint32_t limit);

// The world that a store holds, read from its records alone.
[[nodiscard]] World world_of(const Snapshot& snapshot);

}  // namespace chirp::test
