// Computes the needs of a network step by step: from the numbers of users, reads, posts and follows
// to rates, bytes and machines.
//
// Each step has an exact value and a rounded one for mental arithmetic, which is computed from the
// rounded values before it (docs/decisions/0086-rounded-plans.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace chirp::cli::plan {

// All above 0. Averages over the users of a day.
struct Inputs {
  double daily_users = 200e6;
  double reads_per_user = 50;  // home feeds per day
  double posts_per_day = 2.5;  // per user
  double follows = 200;        // per user: equals the followers that a post reaches
  double post_bytes = 304;     // id 8, author 8, text 280, time 8
  double years = 5;            // for which posts are kept
  double peak = 2;             // busiest second, relative to the mean
  double disk_tb = 4;          // capacity of a machine, in 10^12 bytes
};

// A measured figure of this machine, in operations a second.
struct Rate {
  std::string name;
  std::string policy;
  std::uint64_t threads = 1;
  double rate = 0;  // above 0
};

struct MeasuredRates {
  std::optional<Rate> reads;
  std::optional<Rate> posts;
  std::optional<Rate> deliveries;
};

enum class Unit : std::uint8_t { kNumber, kBytes };

struct SizingStep {
  const char* key;   // in JSON and CSV
  const char* what;  // for people
  const char* from;  // the steps and inputs it is computed from
  Unit unit;
  double exact;
  double rounded;

  // The difference of the rounded value, in percent of the exact one.
  [[nodiscard]] double off_percent() const;
};

// In order: each step follows those it depends on. Leaves out steps that need a figure that was not
// measured.
[[nodiscard]] std::vector<SizingStep> steps_of(const Inputs& inputs, const MeasuredRates& measured);

// Rounds to two significant digits, halves away from 0.
[[nodiscard]] double to_two_digits(double value);

// Numbers in plans, formatted for people.

// From a thousand on a whole number with commas, below that four significant digits: `115,741`,
// `3.251`. Bytes have four digits and a decimal unit: `277.4 TB`.
[[nodiscard]] std::string exact_text(double value, Unit unit);
// Three significant digits with K, M or bn, bytes with a decimal unit: `100 K`, `10 bn`, `235 TB`.
[[nodiscard]] std::string short_text(double value, Unit unit);
// `-13.6 %`, `+15.7 %`; `0 %` for less than a twentieth of a percent.
[[nodiscard]] std::string percent_text(double percent);

}  // namespace chirp::cli::plan
