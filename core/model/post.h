// A post, and the entry that stands for it in a feed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/ids.h"

namespace chirp {

enum class Privacy : std::uint8_t { kPublic = 0, kFollowers = 1, kPrivate = 2 };

struct Post {
  PostId id;
  UserNumber author;
  std::string text;  // NFC
  Time created_at;   // of writing; the id's time is never before it in live posts
  Privacy privacy = Privacy::kPublic;
  std::optional<SourceId> source;  // of what came by a load

  bool operator==(const Post&) const = default;
};

// How an entry came into a materialised timeline.
enum class Origin : std::uint8_t { kPushed = 0, kBackfilled = 1 };

// One place in a feed: a post (later also a repost) of an author.
struct Entry {
  PostId id;
  UserNumber author;
  Origin origin = Origin::kPushed;  // of entries from a timeline; of others without meaning

  bool operator==(const Entry&) const = default;
};

// Newest first, the order of every list of entries.
constexpr bool newer(const Entry& a, const Entry& b) { return a.id > b.id; }

// A follow edge as one side sees it.
struct Edge {
  UserNumber other;
  Time since;

  bool operator==(const Edge&) const = default;
};

}  // namespace chirp
