// The encoding of a timeline's entries: runs, each newest first.
//
// For each entry, a run stores how much older it is than the previous one, and its author. A long
// run stores an author once and then how far back the author's last entry is: followed authors
// recur, and their numbers are the larger half of an entry.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/timeline.h"

namespace chirp::postgres {

// Encodes entries, newest first; returns an empty string for no entries.
[[nodiscard]] std::string packed_run(std::span<const Entry> entries);
// Decodes all entries of consecutive runs, in stored order. Throws Error{kCorrupt} for malformed
// bytes.
[[nodiscard]] std::vector<Entry> entries_in(std::string_view runs);

}  // namespace chirp::postgres
