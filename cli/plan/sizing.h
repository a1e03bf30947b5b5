// What a network needs, worked out step by step: from how many people come, read, post and follow
// to rates, bytes and machines.
//
// Each step is there twice: exact, and rounded as it is done in the head, where every step goes on
// from the rounded ones before it (docs/decisions/0086-rounded-plans.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace chirp::cli::plan {

// All above 0. Averages over the users of a day.
struct Inputs {
  double daily_users = 200e6;
  double reads_per_user = 50;  // home feeds a day
  double posts_per_day = 2.5;  // of a user
  double follows = 200;        // of a user: as many followers has a post
  double post_bytes = 304;     // id 8, author 8, text 280, time 8
  double years = 5;            // that posts are kept
  double peak = 2;             // the busiest second beside the mean one
  double disk_tb = 4;          // what a machine keeps, in 10^12 bytes
};

// A figure of this machine, in operations a second.
struct Rate {
  std::string name;
  std::string policy;
  std::uint64_t threads = 1;
  double rate = 0;  // above 0
};

struct Measured {
  std::optional<Rate> reads;
  std::optional<Rate> posts;
  std::optional<Rate> deliveries;
};

enum class Unit : std::uint8_t { kNumber, kBytes };

struct Step {
  const char* key;   // in JSON and CSV
  const char* what;  // for people
  const char* from;  // which steps and inputs it is made of
  Unit unit;
  double exact;
  double rounded;

  // How far the rounded value is from the exact one, in percent of that.
  [[nodiscard]] double off_percent() const;
};

// In order: each comes after those that it is made of. A step that needs a figure which was not
// measured is left out.
[[nodiscard]] std::vector<Step> steps_of(const Inputs& inputs, const Measured& measured);

// The nearest number of two significant digits, halves away from 0.
[[nodiscard]] double to_two_digits(double value);

}  // namespace chirp::cli::plan
