// How entries of a timeline lie in its bytes: in runs, each newest first.
//
// A run says of each entry how much older it is than the one before, and of whom it is. A long one
// names an author once, and afterwards says how far back the author's last entry is: those that one
// follows come again and again, and their numbers are the larger half of an entry.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/timeline.h"

namespace chirp::postgres {

// Newest first; empty for no entries.
[[nodiscard]] std::string packed_run(std::span<const Entry> entries);
// All entries of runs that lie behind each other, in the order in which they lie there. Throws
// Error{kCorrupt} for bytes that are no runs.
[[nodiscard]] std::vector<Entry> entries_in(std::string_view runs);

}  // namespace chirp::postgres
