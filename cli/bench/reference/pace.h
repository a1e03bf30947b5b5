// Work that is due by a clock, whether or not the work before it is done.
//
// Who measures only what has begun measures nothing while everything waits ("coordinated
// omission"). So each piece has a moment at which it is due; one that is late begins at once, its
// time counts from that moment, and what has not begun by the end counts for as long as it waited.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "cli/bench/reference/histogram.h"

namespace chirp::cli::bench {

inline constexpr std::int64_t kNanos = 1'000'000'000;  // of a second

// So many pieces a second, shared out to lanes in turns. Of a lane: when its n-th piece is due, in
// nanoseconds from the start.
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

// Of the machine, from when it is made.
class RealRunClock final : public RunClock {
 public:
  RealRunClock();
  [[nodiscard]] std::int64_t now() override;
  void await(std::int64_t moment) override;

 private:
  std::int64_t start_;
};

struct Paced {
  Histogram times;         // from when a piece was due
  std::uint64_t done = 0;  // begun before the end, and done
  std::uint64_t late = 0;  // due before the end, and not begun by then

  [[nodiscard]] std::uint64_t asked() const { return done + late; }
  void add(const Paced& other);
};

// Does `piece(n)` for every n that is due before `end`, or until `end`.
[[nodiscard]] Paced run_paced(RunClock& clock, const Schedule& schedule, std::int64_t end,
                              const std::function<void(std::uint64_t)>& piece);

}  // namespace chirp::cli::bench
