// When people read, made up: how often each of them opens their feed, and at which times of day.
//
// Few read much: the reads a day of a user are the mean times a log-normal factor with sigma 1, so
// that half of the users read less than 0.61 times the mean, and one in a hundred more than 6 times
// as often. Reads of one user are a Poisson process. Its rate goes up and down over the day as a
// cosine, nine times as high at 17:00 UTC as at 05:00. How often somebody reads has nothing to do
// with whom they follow or how much they post.
//
// The same seed makes the same reads.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/ids.h"
#include "core/model/time.h"
#include "core/ports/read_rates.h"

namespace chirp::lab {

class ReadModel final : public ReadRates {
 public:
  // `reads_a_day`: of a user in the mean; more than 0.
  ReadModel(double reads_a_day, std::uint64_t seed) : mean_(reads_a_day), seed_(seed) {}

  // Expected of one user.
  [[nodiscard]] double reads_a_day(UserNumber user) const;
  // The mean over the day: the cost rule weighs days and not hours.
  [[nodiscard]] double reads_per_second(UserNumber reader, Time last_read, Time now) const override;
  // Which share of a day's reads comes from `from` to before `to`; more than 1 for more than a day.
  [[nodiscard]] static double share_of_day(Time from, Time to);
  // When a user reads, from `from` to before `to`, ascending.
  [[nodiscard]] std::vector<Time> reads(UserNumber user, Time from, Time to) const;
  // When the user last read before `at`; a month and more ago for who reads seldom.
  [[nodiscard]] Time last_read_before(UserNumber user, Time at) const;
  // Whether the user is one of a random `share` of all, 0 to 1.
  [[nodiscard]] bool is_in_sample(UserNumber user, double share) const;

 private:
  double mean_;
  std::uint64_t seed_;
};

}  // namespace chirp::lab
