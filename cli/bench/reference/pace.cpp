#include "cli/bench/reference/pace.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <time.h>

namespace chirp::cli::bench {
namespace {

std::int64_t monotonic() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * kNanos + time.tv_nsec;
}

}  // namespace

RealRunClock::RealRunClock() : start_(monotonic()) {}

std::int64_t RealRunClock::now() { return monotonic() - start_; }

void RealRunClock::await(std::int64_t moment) {
  const std::int64_t at = start_ + moment;
  const timespec time{at / kNanos, at % kNanos};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
}

void Paced::add(const Paced& other) {
  times.add(other.times);
  done += other.done;
  late += other.late;
}

Paced run_paced(RunClock& clock, const Schedule& schedule, std::int64_t end,
                const std::function<void(std::uint64_t)>& piece) {
  Paced paced;
  std::int64_t now = clock.now();
  std::uint64_t n = 0;
  for (; schedule.due(n) < end && now < end; ++n) {
    const std::int64_t due = schedule.due(n);
    if (now < due) {
      clock.await(due);
      if (clock.now() >= end) break;
    }
    piece(n);
    now = clock.now();
    paced.times.add(static_cast<std::uint64_t>(std::max<std::int64_t>(now - due, 0)));
    ++paced.done;
  }
  for (; schedule.due(n) < end; ++n) {
    paced.times.add(static_cast<std::uint64_t>(end - schedule.due(n)));
    ++paced.late;
  }
  return paced;
}

// Durations below kFine have a bucket each; for longer ones the highest bit and the kFineBits below
// it give the bucket.
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
