// How often something has failed for each key within a window that its first failure begins.
//
// The table is of a fixed size, and nothing makes it forget a window that is not over. Keys fall
// into buckets; what finds its bucket full is counted in the bucket's crowd, whose window begins
// anew with each failure, and so does that of a key that may have been in it. So a full table may
// count too much, and never too little. Not safe to call from two threads at a time.
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
  // How often it may have failed.
  [[nodiscard]] std::uint64_t failures(std::uint64_t key, std::int64_t now_ns) const;
  // Until there have been fewer than `most` failures again; 0 if there have.
  [[nodiscard]] std::int64_t wait_ns(std::uint64_t key, std::uint64_t most,
                                     std::int64_t now_ns) const;

 private:
  static constexpr std::size_t kBucketKeys = 15;
  struct Count {
    std::uint64_t key = 0;
    std::int64_t since_ns = 0;
    std::uint64_t failures = 0;
    bool renewed = false;  // its window begins anew with each failure
  };
  struct Bucket {
    std::array<Count, kBucketKeys> counts{};
    Count crowd{};
  };

  [[nodiscard]] bool is_over(const Count& count, std::int64_t now_ns) const;
  // The key's own, or that of the crowd it may be in.
  [[nodiscard]] const Count& count_of(std::uint64_t key, std::int64_t now_ns) const;

  std::vector<Bucket> buckets_;
  std::int64_t window_ns_;
};

}  // namespace chirp::api
