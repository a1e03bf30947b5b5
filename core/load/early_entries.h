// What loads of posts have in common that put entries into logs before the posts
// (StoreState::early_from).
#pragma once

#include <cstddef>
#include <span>

#include "core/load/turns.h"
#include "core/pace.h"
#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp::load {

// An author with more posts in a window gets no early entries: readers of the log step over each of
// them, and so many share pages anyway.
inline constexpr std::size_t kMostOfAuthor = 256;

// Puts entries, by author and id, in short transactions. The caller holds Storage::early_entries().
void put_early_entries(Storage& storage, const Clock& clock, Turns& turns, Pace& pace,
                       std::span<const EarlyEntry> entries);

}  // namespace chirp::load
