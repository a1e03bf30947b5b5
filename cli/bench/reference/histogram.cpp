#include "cli/bench/reference/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace chirp::cli::bench {

// What is shorter than kFine has a place of its own; of a longer one the highest bit and the
// kFineBits below it make the place.
std::size_t Histogram::place_of(std::uint64_t nanos) {
  if (nanos < kFine) return static_cast<std::size_t>(nanos);
  const auto power = static_cast<unsigned>(std::bit_width(nanos)) - 1 - kFineBits;
  return (power + 1) * kFine + static_cast<std::size_t>((nanos >> power) - kFine);
}

std::uint64_t Histogram::top_of(std::size_t place) {
  if (place < kFine) return place;
  const std::size_t power = place / kFine - 1;
  const std::uint64_t next = std::uint64_t{place % kFine} + kFine + 1;
  return (next << power) - 1;
}

void Histogram::add(std::uint64_t nanos, std::uint64_t times) {
  if (times == 0) return;
  counts_[place_of(nanos)] += times;
  count_ += times;
  longest_ = std::max(longest_, nanos);
}

void Histogram::add(const Histogram& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  longest_ = std::max(longest_, other.longest_);
}

std::uint64_t Histogram::percentile(double part) const {
  const double wanted = std::ceil(part * static_cast<double>(count_));
  std::uint64_t seen = 0;
  for (std::size_t place = 0; place < counts_.size(); ++place) {
    seen += counts_[place];
    if (seen != 0 && static_cast<double>(seen) >= wanted) return std::min(top_of(place), longest_);
  }
  return longest_;
}

}  // namespace chirp::cli::bench
