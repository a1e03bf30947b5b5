// Work that is scheduled by a clock, whether or not earlier work is done.
//
// Measuring only started work would hide long waits ("coordinated omission"). So each piece has a
// due time. A late piece starts at once, its duration counts from the due time, and a piece that
// has not started by the end counts with its waiting time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace chirp::cli::bench {

// Durations in bounded memory: counts in 64 buckets for each power of two, so that a percentile is
// at most 1/64 too long and never too short.
class Histogram {
 public:
  void add(std::uint64_t nanos) { add(nanos, 1); }
  void add(std::uint64_t nanos, std::uint64_t times);
  void add(const Histogram& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t longest() const { return longest_; }
  // The smallest bucket bound that this part of all durations, 0 to 1, does not exceed. 0 if empty.
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

inline constexpr std::int64_t kNanos = 1'000'000'000;  // per second

// The due times of a lane's pieces, in nanoseconds from the start. `rate` pieces a second are
// distributed over the lanes in turn.
class Schedule {
 public:
  Schedule(double rate, std::uint64_t lanes, std::uint64_t lane)
      : nanos_(1e9 / rate), lanes_(lanes), lane_(lane) {}
  [[nodiscard]] std::int64_t due(std::uint64_t n) const {
    return static_cast<std::int64_t>(nanos_ * static_cast<double>(n * lanes_ + lane_));
  }

 private:
  double nanos_;
  std::uint64_t lanes_;
  std::uint64_t lane_;
};

// The time of a run, in nanoseconds from its start.
class RunClock {
 public:
  virtual ~RunClock() = default;
  [[nodiscard]] virtual std::int64_t now() = 0;
  virtual void await(std::int64_t moment) = 0;
};

// The machine's clock, from the construction on.
class RealRunClock final : public RunClock {
 public:
  RealRunClock();
  [[nodiscard]] std::int64_t now() override;
  void await(std::int64_t moment) override;

 private:
  std::int64_t start_;
};

struct Paced {
  Histogram times;         // from the due time
  std::uint64_t done = 0;  // started before the end, and done
  std::uint64_t late = 0;  // due before the end, but not started

  [[nodiscard]] std::uint64_t asked() const { return done + late; }
  void add(const Paced& other);
};

// Runs `piece(n)` for every n that is due before `end`, but not after `end`.
[[nodiscard]] Paced run_paced(RunClock& clock, const Schedule& schedule, std::int64_t end,
                              const std::function<void(std::uint64_t)>& piece);

}  // namespace chirp::cli::bench
