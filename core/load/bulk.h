// Shared by loads that sort before they store: bulk loads of edges (core/ports/bulk_edges.h), and
// log entries that are stored before their posts (StoreState::early_from).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/load/turns.h"
#include "core/pace.h"
#include "core/ports/bulk_edges.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::load {

// How edges are stored. kAuto: in bulk if that writes less.
enum class Bulk : std::uint8_t { kAuto, kAlways, kNever };

// Ends a bulk load, taking turns with other writers.
LoadCounts finish_bulk(BulkEdges& bulk, Time now, Turns& turns);

// Gives users the tiers that a bulk load has deferred.
void give_tiers(Storage& storage, const Clock& clock, Turns& turns);

// An author with more posts in a window gets no early entries: readers of the log skip each of
// them, and so many share pages anyway.
inline constexpr std::size_t kMostOfAuthor = 256;

// Sorts entries, which have `author` and `id`, by these, and leaves out those of such authors.
template <class Entry>
void leave_out_frequent(std::vector<Entry>& entries) {
  std::ranges::sort(entries, {}, [](const Entry& each) { return std::pair(each.author, each.id); });
  auto kept = entries.begin();
  for (auto begin = entries.begin(); begin != entries.end();) {
    const auto end = std::find_if(begin, entries.end(),
                                  [&](const Entry& each) { return each.author != begin->author; });
    if (static_cast<std::size_t>(end - begin) <= kMostOfAuthor) kept = std::copy(begin, end, kept);
    begin = end;
  }
  entries.erase(kept, entries.end());
}

// Stores entries, by author and id, in short transactions. The caller holds
// Storage::early_entries().
void put_early_entries(Storage& storage, const Clock& clock, Turns& turns, Pace& pace,
                       std::span<const EarlyEntry> entries);

}  // namespace chirp::load
