// The materialised timeline of a viewer: a cache of their feed that knows its own limits.
//
// Valid when its generation is the store's. A valid timeline holds every post p by an author a that
// the viewer follows (or is) with p >= complete_from and p >= the push-from mark of a, unless p is
// pending. It may hold more (posts removed, authors unfollowed): readers filter, so being generous
// is always safe. Pure functions: every store keeps timelines by these rules.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/post.h"

namespace chirp {

struct Timeline {
  PostId complete_from;  // nothing below is trusted
  std::uint64_t generation = 0;
  Time last_read;              // to the day: when the viewer last read the feed
  std::vector<Entry> entries;  // newest first, no id twice

  bool operator==(const Timeline&) const = default;
};

// Adds `added` (newest first) as a set: an id that is there stays as it is, ids below
// `complete_from` are ignored. Then trims to `cap` entries, raising `complete_from` to the oldest
// entry kept. `cap` >= 1.
void merge_entries(Timeline& timeline, std::span<const Entry> added, std::uint32_t cap);

// Keeps the newest `cap` entries and raises `complete_from` to the oldest one kept if any goes.
void trim(Timeline& timeline, std::uint32_t cap);

// The first moment of the day (UTC), as timelines keep when they were last read.
[[nodiscard]] Time start_of_day(Time time);

}  // namespace chirp
