// The invariants of reactions, comments and what is counted of them.
#pragma once

#include <string>
#include <vector>

#include "core/ports/snapshot.h"

namespace chirp::test {

// Counters equal to their sets, at any moment; threads whole; nothing left of what is gone but what
// waits for its removal. One line for each breach.
[[nodiscard]] std::vector<std::string> content_breaches(const Snapshot& snapshot);

}  // namespace chirp::test
