// A model of when users read: how often each opens the feed, and at which times of day.
//
// Few users read much: a user's reads per day are the mean times a log-normal factor with sigma 1.
// So half of the users read less than 0.61 times the mean, and one in a hundred more than 6 times.
// Reads of one user are a Poisson process. Its rate follows a cosine over the day, nine times as
// high at 17:00 UTC as at 05:00. How often users read does not depend on whom they follow or how
// much they post.
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
  // `reads_a_day`: the mean over users; more than 0.
  ReadModel(double reads_a_day, std::uint64_t seed) : mean_(reads_a_day), seed_(seed) {}

  // The expected number for one user.
  [[nodiscard]] double reads_a_day(UserNumber user) const;
  // The mean over the day, because the cost rule compares days, not hours.
  [[nodiscard]] double reads_per_second(UserNumber reader, Time last_read, Time now) const override;
  // The share of a day's reads from `from` to before `to`; above 1 for more than a day.
  [[nodiscard]] static double share_of_day(Time from, Time to);
  // The times at which a user reads, from `from` to before `to`, ascending.
  [[nodiscard]] std::vector<Time> reads(UserNumber user, Time from, Time to) const;
  // The user's last read before `at`; more than a month ago for users who rarely read.
  [[nodiscard]] Time last_read_before(UserNumber user, Time at) const;
  // Whether the user is one of a random `share` of all, 0 to 1.
  [[nodiscard]] bool is_in_sample(UserNumber user, double share) const;

 private:
  double mean_;
  std::uint64_t seed_;
};

}  // namespace chirp::lab
