// Counts the failures of each key within a window, which begins with the first failure.
//
// The table has a fixed size, and never forgets a window before its end. Keys are distributed over
// buckets. A key whose bucket is full is counted in the bucket's shared count. The window of that
// count, and of a key that may have been part of it, restarts with each failure. So a full table
// may count too much, but never too little. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace chirp::api {

class FailureCounts {
 public:
  FailureCounts(std::size_t buckets, std::int64_t window_ns)
      : buckets_(buckets), window_ns_(window_ns) {}

  void add(std::uint64_t key, std::int64_t now_ns);
  // Returns an upper bound of the key's failures.
  [[nodiscard]] std::uint64_t failures(std::uint64_t key, std::int64_t now_ns) const;
  // Returns the wait until the key has fewer than `most` failures; 0 if it has fewer now.
  [[nodiscard]] std::int64_t wait_ns(std::uint64_t key, std::uint64_t most,
                                     std::int64_t now_ns) const;

 private:
  static constexpr std::size_t kBucketKeys = 15;
  struct Count {
    std::uint64_t key = 0;
    std::int64_t since_ns = 0;
    std::uint64_t failures = 0;
    bool renewed = false;  // its window restarts with each failure
  };
  struct Bucket {
    std::array<Count, kBucketKeys> counts{};
    Count crowd{};
  };

  [[nodiscard]] bool is_over(const Count& count, std::int64_t now_ns) const;
  // Returns the key's own count, or the shared count that may include it.
  [[nodiscard]] const Count& count_of(std::uint64_t key, std::int64_t now_ns) const;

  std::vector<Bucket> buckets_;
  std::int64_t window_ns_;
};

}  // namespace chirp::api
