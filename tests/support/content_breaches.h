// The invariants of reactions, comments and their counters.
#pragma once

#include <string>
#include <vector>

#include "core/ports/snapshot.h"

namespace chirp::test {

// Checks that counters equal their sets, threads are whole, and removed content has left nothing
// but what waits for cleanup. Returns one line for each breach.
[[nodiscard]] std::vector<std::string> content_breaches(const Snapshot& snapshot);

}  // namespace chirp::test
