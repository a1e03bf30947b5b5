// A figure of `chirp bench`, beside its reference measured in the same run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"

namespace chirp::cli::bench {

// The clock that figures are measured by.
using Watch = std::chrono::steady_clock;
[[nodiscard]] inline double seconds_since(Watch::time_point start) {
  return std::chrono::duration<double>(Watch::now() - start).count();
}

// What a figure stands beside, in operations a second.
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
  double p50_micros = 0;  // of one operation, or of one batch where they come in batches
  double p99_micros = 0;
  double max_micros = 0;
  std::string reference{};            // what it stands beside
  double reference_rate = 0;          // operations a second
  std::optional<Reference> beside{};  // another program on the same data, if it was asked for
  std::optional<double> floor{};      // that the ratio to the reference is to reach

  [[nodiscard]] double rate() const { return static_cast<double>(operations) / seconds; }
};

// A line for people, or a line of JSON.
void print(Output& out, const Figure& figure);
// The same where nothing was done, so that there is no rate: people are told why.
void print_none(Output& out, const Figure& figure, std::string_view why);

// A measured size, count or share that is to stay at or below a bound.
struct Measure {
  std::string name;
  double value = 0;
  std::string unit;
  double at_most = 0;
};
// A line for people, or a line of JSON.
void print(Output& out, const Measure& measure);

// Runs `operation(thread, n)` in a loop on `threads` threads for `seconds`, and fills in
// operations, seconds, percentiles and the longest.
void measure(Figure& figure, double seconds,
             const std::function<void(std::uint64_t thread, std::uint64_t n)>& operation);

// Percentiles and the longest of durations in nanoseconds.
void set_percentiles(Figure& figure, std::vector<std::uint32_t> nanos);

}  // namespace chirp::cli::bench
