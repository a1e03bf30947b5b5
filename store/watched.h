// Long work that somebody watches.
#pragma once

#include <cstdint>
#include <functional>

namespace chirp::store {

// Called some times a second, perhaps from a thread of the work's own, with how much is done of how
// much. What it throws ends the work, which cleans up as after any failure.
using Watched = std::function<void(std::uint64_t done, std::uint64_t total)>;

}  // namespace chirp::store
