// Progress reports of long work.
#pragma once

#include <cstdint>
#include <functional>

namespace chirp::store {

// Called several times a second, perhaps from another thread, with the work done and the total. If
// it throws, the work stops and cleans up as after any failure.
using Watched = std::function<void(std::uint64_t done, std::uint64_t total)>;

}  // namespace chirp::store
