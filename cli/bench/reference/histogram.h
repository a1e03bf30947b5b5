// How long things took, in bounded memory: counts of durations, 64 sizes to each power of two, so
// that a percentile is at most one part in 64 too long and never too short.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace chirp::cli::bench {

class Histogram {
 public:
  void add(std::uint64_t nanos) { add(nanos, 1); }
  void add(std::uint64_t nanos, std::uint64_t times);
  void add(const Histogram& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t longest() const { return longest_; }
  // The smallest size that so large a part of all, 0 to 1, does not exceed. 0 of nothing.
  [[nodiscard]] std::uint64_t percentile(double part) const;

 private:
  static constexpr unsigned kFineBits = 6;
  static constexpr std::size_t kFine = std::size_t{1} << kFineBits;
  static std::size_t place_of(std::uint64_t nanos);
  static std::uint64_t top_of(std::size_t place);

  std::array<std::uint64_t, (64 - kFineBits + 1) * kFine> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t longest_ = 0;
};

}  // namespace chirp::cli::bench
