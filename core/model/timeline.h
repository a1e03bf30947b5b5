// The materialised timeline of a viewer: a cache of the feed that records what it covers.
//
// It is valid when its generation is the store's. A valid timeline holds every post p by an author
// a that the viewer follows (or is) with p >= complete_from and p >= the push-from mark of a,
// unless p is pending. It may hold more (posts removed, authors unfollowed), because readers
// filter. Pure functions: every store keeps timelines by these rules.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/post.h"

namespace chirp {

struct Timeline {
  PostId complete_from;  // below this id the timeline is incomplete
  std::uint64_t generation = 0;
  Time last_read;              // when the viewer last read the feed, rounded down to the day
  std::vector<Entry> entries;  // newest first, no id twice

  bool operator==(const Timeline&) const = default;
};

// Adds `added` (newest first) as a set: existing ids are unchanged, ids below `complete_from` are
// ignored. Then trims to `cap` entries, raising `complete_from` to the oldest entry kept. `cap` >=
// 1.
void merge_entries(Timeline& timeline, std::span<const Entry> added, std::uint32_t cap);

// Keeps the newest `cap` entries. If it drops any, raises `complete_from` to the oldest one kept.
void trim(Timeline& timeline, std::uint32_t cap);

// The start of the day (UTC), the precision of a timeline's last read.
[[nodiscard]] Time start_of_day(Time time);

}  // namespace chirp
