// How many users are followed, and follow, how many.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ports/snapshot.h"

namespace chirp::cli {

// Of a number that each user has: 0, 1, 2 to 3, 4 to 7, …
struct Distribution {
  struct Bucket {
    std::uint64_t from = 0;
    std::uint64_t to = 0;  // included
    std::uint64_t users = 0;
  };
  std::vector<Bucket> buckets;  // up to the last one with anybody in it
  // So many have half of the users at most, and so on; 0 without users.
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

// Of all users who are there; reads all cards and counters.
[[nodiscard]] Degrees degrees_of(const Snapshot& snapshot);

}  // namespace chirp::cli
