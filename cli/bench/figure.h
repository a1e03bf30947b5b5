// A figure of `chirp bench`, beside its reference measured in the same run.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"

namespace chirp::cli::bench {

// The clock for figures.
using BenchClock = std::chrono::steady_clock;
[[nodiscard]] inline double seconds_since(BenchClock::time_point start) {
  return std::chrono::duration<double>(BenchClock::now() - start).count();
}
// At most what fits, 4.29 seconds.
[[nodiscard]] inline std::uint32_t nanos_since(BenchClock::time_point start,
                                               BenchClock::time_point now = BenchClock::now()) {
  const auto nanos = std::chrono::nanoseconds(now - start).count();
  return static_cast<std::uint32_t>(std::min<std::int64_t>(nanos, ~0u));
}
[[nodiscard]] inline BenchClock::time_point later(BenchClock::time_point start, double seconds) {
  return start +
         std::chrono::duration_cast<BenchClock::duration>(std::chrono::duration<double>(seconds));
}

// What a figure is compared with, in operations a second.
struct Reference {
  std::string name;
  double rate = 0;
};

struct Figure {
  std::string name;
  std::string policy;
  std::uint64_t threads = 1;
  std::uint64_t operations = 0;
  double seconds = 0;
  double p50_micros = 0;  // of one operation, or of one batch if there are batches
  double p99_micros = 0;
  double max_micros = 0;
  std::string reference{};            // name of the reference
  double reference_rate = 0;          // operations a second
  std::optional<Reference> beside{};  // another program on the same data, if requested
  std::optional<double> floor{};      // target for the ratio to the reference

  [[nodiscard]] double rate() const { return static_cast<double>(operations) / seconds; }
};

// Prints a line for people, or a line of JSON.
void print(Output& out, const Figure& figure);
// The same if nothing was done, so that there is no rate; people see the reason.
void print_none(Output& out, const Figure& figure, std::string_view why);

// A measured size, count or share that should not exceed a bound.
struct Measure {
  std::string name;
  double value = 0;
  std::string unit;
  double at_most = 0;
};
// Prints a line for people, or a line of JSON.
void print(Output& out, const Measure& measure);

// Runs `operation(thread, n)` in a loop on `threads` threads for `seconds`, and fills in
// operations, seconds, percentiles and the maximum.
void measure(Figure& figure, double seconds,
             const std::function<void(std::uint64_t thread, std::uint64_t n)>& operation);

// Runs `step` until it returns false. Fills in seconds, and percentiles and the maximum of the
// steps. Returns their number.
std::size_t measure_steps(Figure& figure, const std::function<bool()>& step);

// Sets percentiles and the maximum from durations in nanoseconds.
void set_percentiles(Figure& figure, std::vector<std::uint32_t> nanos);

// The number of alternating runs of two sides, unless a single run is enough.
inline constexpr int kRounds = 3;
// Runs both sides in turn. Returns the best figure of `measured`, compared with the best of
// `reference`.
[[nodiscard]] Figure best_of(int rounds, const std::function<Figure()>& measured,
                             const std::function<Figure()>& reference);

}  // namespace chirp::cli::bench
