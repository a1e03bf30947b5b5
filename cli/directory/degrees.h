// Distributions of the numbers of followers and followees.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ports/snapshot.h"

namespace chirp::cli {

// The distribution of one number per user, in buckets: 0, 1, 2 to 3, 4 to 7, …
struct Distribution {
  struct Bucket {
    std::uint64_t from = 0;
    std::uint64_t to = 0;  // inclusive
    std::uint64_t users = 0;
  };
  std::vector<Bucket> buckets;  // up to the last one that is not empty
  // Percentiles; 0 without users.
  std::uint64_t median = 0;
  std::uint64_t p90 = 0;
  std::uint64_t p99 = 0;
  std::uint64_t most = 0;
};

[[nodiscard]] Distribution distribution_of(std::vector<std::uint64_t> numbers);

struct Degrees {
  Distribution followers;
  Distribution following;
};

// Counts all existing users; reads all cards and counters.
[[nodiscard]] Degrees degrees_of(const Snapshot& snapshot);

}  // namespace chirp::cli
