#include "core/lab/read_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/load/seed_random.h"

namespace chirp::lab {
namespace {

constexpr double kTwoPi = 2 * std::numbers::pi;
constexpr double kDay = static_cast<double>(kDayMs);
constexpr double kPeak = 17.0 / 24;  // as a share of the day
constexpr double kSwing = 0.8;       // as a share of the mean

// One random sequence per user for each purpose.
enum class Stream : std::uint64_t { kRate = 1, kReads, kLastRead, kSample };

load::SeedRandom random_of(std::uint64_t seed, Stream stream, UserNumber user) {
  return {seed, static_cast<std::uint64_t>(stream), user.value};
}

// Greater than 0, at most 1.
double unit(load::SeedRandom& random) {
  constexpr double kSteps = 1ULL << 53;
  return (static_cast<double>(random.next() >> 11) + 1) / kSteps;
}

double exponential(load::SeedRandom& random) { return -std::log(unit(random)); }

// Reads of a user with one read per day, from 1970 to `at`: the integral of 1 + kSwing cos(…).
double reads_until(double at_ms) {
  const double days = at_ms / kDay;
  return days + kSwing / kTwoPi * std::sin(kTwoPi * (days - kPeak));
}

// The time in [from, to] by which `wanted` reads have happened.
Time time_of_reads(double wanted, Time from, Time to) {
  std::int64_t low = from.ms;
  std::int64_t high = to.ms;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (reads_until(static_cast<double>(middle)) <= wanted ? low : high) = middle;
  }
  return Time{low};
}

}  // namespace

double ReadModel::reads_a_day(UserNumber user) const {
  load::SeedRandom random = random_of(seed_, Stream::kRate, user);
  // Box-Muller: two uniform numbers make a normal one.
  const double radius = std::sqrt(2 * exponential(random));
  const double normal = radius * std::cos(kTwoPi * unit(random));
  return mean_ * std::exp(normal - 0.5);
}

double ReadModel::reads_per_second(UserNumber reader, Time /*last_read*/, Time /*now*/) const {
  return reads_a_day(reader) * kSecondMs / kDay;
}

double ReadModel::share_of_day(Time from, Time to) {
  return reads_until(static_cast<double>(to.ms)) - reads_until(static_cast<double>(from.ms));
}

std::vector<Time> ReadModel::reads(UserNumber user, Time from, Time to) const {
  std::vector<Time> times;
  load::SeedRandom random = random_of(seed_, Stream::kReads, user);
  const double rate = reads_a_day(user);
  const double end = reads_until(static_cast<double>(to.ms));
  double at = reads_until(static_cast<double>(from.ms));
  for (;;) {
    at += exponential(random) / rate;
    if (at >= end) return times;
    times.push_back(time_of_reads(at, from, to));
  }
}

Time ReadModel::last_read_before(UserNumber user, Time at) const {
  load::SeedRandom random = random_of(seed_, Stream::kLastRead, user);
  // Bounded, because a user may read once in many years.
  constexpr double kLongAgo = 36'500;
  const double days = std::min(exponential(random) / reads_a_day(user), kLongAgo);
  return Time{at.ms - static_cast<std::int64_t>(days * kDay)};
}

bool ReadModel::is_in_sample(UserNumber user, double share) const {
  load::SeedRandom random = random_of(seed_, Stream::kSample, user);
  return unit(random) <= share;
}

}  // namespace chirp::lab
