// Goal: the reads that the lab makes up are as many, as unevenly spread and as bound to the hour as
// its documents say, and are the same each time.
// Method: many users are counted and held against the numbers of the log-normal distribution and of
// the cosine, which are worked out here on paper.
#include "core/lab/read_model.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace chirp::test {
namespace {

constexpr std::uint32_t kUsers = 20'000;
constexpr Time kDay{20'000 * kDayMs};

Time at(std::int64_t hours) { return Time{kDay.ms + hours * kHourMs}; }

}  // namespace

TEST_CASE("lab reads: few users make most of them") {
  const lab::ReadModel model(8, 1);
  std::vector<double> rates;
  double sum = 0;
  for (std::uint32_t user = 1; user <= kUsers; ++user) {
    rates.push_back(model.reads_a_day(UserNumber{user}));
    sum += rates.back();
  }
  std::sort(rates.begin(), rates.end());
  CHECK(sum / kUsers == doctest::Approx(8).epsilon(0.05));
  // exp(-1/2), and exp(2.326 - 1/2), times the mean.
  CHECK(rates[kUsers / 2] == doctest::Approx(8 * 0.6065).epsilon(0.05));
  CHECK(rates[kUsers * 99 / 100] == doctest::Approx(8 * 6.21).epsilon(0.1));
}

TEST_CASE("lab reads: more in the afternoon than in the morning, and as many a day as expected") {
  const lab::ReadModel model(3, 2);
  std::array<double, 4> quarters{};  // from 2:00, 8:00, 14:00 and 20:00 on
  double all = 0;
  for (std::uint32_t user = 1; user <= kUsers; ++user) {
    const auto times = model.reads(UserNumber{user}, at(2), at(26));
    CHECK(std::is_sorted(times.begin(), times.end()));
    for (const Time time : times) {
      REQUIRE(time >= at(2));
      REQUIRE(time < at(26));
      quarters[static_cast<std::size_t>((time.ms - at(2).ms) / (6 * kHourMs))] += 1;
    }
    all += static_cast<double>(times.size());
  }
  CHECK(all == doctest::Approx(3.0 * kUsers).epsilon(0.05));
  // A quarter of the day around the peak at 17:00 has 1/4 + 0.8 sin(45°) / π of the reads.
  CHECK(quarters[2] / all == doctest::Approx(0.25 + 0.18006).epsilon(0.02));
  CHECK(quarters[0] / all == doctest::Approx(0.25 - 0.18006).epsilon(0.05));
  CHECK(quarters[1] / all == doctest::Approx(0.25).epsilon(0.02));
  CHECK(lab::ReadModel::share_of_day(at(14), at(20)) == doctest::Approx(0.25 + 0.18006));
  CHECK(lab::ReadModel::share_of_day(at(5), at(53)) == doctest::Approx(2));
}

TEST_CASE("lab reads: a seed makes the same reads, and another one others") {
  const UserNumber user{7};
  const lab::ReadModel model(20, 5);
  const auto times = model.reads(user, at(0), at(24));
  CHECK(lab::ReadModel(20, 5).reads(user, at(0), at(24)) == times);
  CHECK(lab::ReadModel(20, 6).reads(user, at(0), at(24)) != times);
  CHECK(model.reads(UserNumber{8}, at(0), at(24)) != times);
}

TEST_CASE("lab reads: the last read of before is as long ago as reads are rare") {
  const lab::ReadModel model(2, 3);
  double days = 0;
  double in_sample = 0;
  for (std::uint32_t user = 1; user <= kUsers; ++user) {
    const Time last = model.last_read_before(UserNumber{user}, at(0));
    REQUIRE(last <= at(0));
    days += static_cast<double>(at(0).ms - last.ms) / kDayMs * model.reads_a_day(UserNumber{user});
    if (model.is_in_sample(UserNumber{user}, 0.3)) in_sample += 1;
    CHECK(model.is_in_sample(UserNumber{user}, 1));
  }
  CHECK(days / kUsers == doctest::Approx(1).epsilon(0.05));
  CHECK(in_sample / kUsers == doctest::Approx(0.3).epsilon(0.05));
  CHECK(model.reads_per_second(UserNumber{4}, {}, {}) * 86'400 ==
        doctest::Approx(model.reads_a_day(UserNumber{4})));
}

}  // namespace chirp::test
