// Goal: what is due by the clock is counted from when it was due, and what is kept of durations is
// as good as all of them. Method: a clock that only the work moves; every duration kept and sorted.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "cli/bench/reference/pace.h"
#include "cli/bench/reference/people.h"

namespace chirp::test {
namespace {

using cli::bench::Histogram;
using cli::bench::Lots;
using cli::bench::Paced;
using cli::bench::Random;
using cli::bench::run_paced;
using cli::bench::Schedule;

class WorkClock final : public cli::bench::RunClock {
 public:
  [[nodiscard]] std::int64_t now() override { return now_; }
  void await(std::int64_t moment) override { now_ = std::max(now_, moment); }
  void work(std::int64_t nanos) { now_ += nanos; }

 private:
  std::int64_t now_ = 0;
};

std::uint64_t naive_percentile(std::vector<std::uint64_t> all, double part) {
  std::sort(all.begin(), all.end());
  const auto place = static_cast<std::size_t>(std::ceil(part * static_cast<double>(all.size())));
  return all[std::max<std::size_t>(place, 1) - 1];
}

void check_percentiles(const Histogram& times, const std::vector<std::uint64_t>& all) {
  REQUIRE(times.count() == all.size());
  for (const double part : {0.0, 0.01, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const std::uint64_t exact = naive_percentile(all, part);
    const std::uint64_t found = times.percentile(part);
    CHECK_MESSAGE(found >= exact, part);
    CHECK_MESSAGE(found <= exact + exact / 64, part);
  }
  CHECK(times.longest() == *std::max_element(all.begin(), all.end()));
}

}  // namespace

TEST_CASE("bench: percentiles of a histogram are those of all durations, a little rounded up") {
  Random random(1);
  for (const std::uint64_t most : {1ull, 50ull, 1000ull, 1'000'000ull, 1ull << 40}) {
    Histogram one;
    Histogram other;
    std::vector<std::uint64_t> all;
    for (int i = 0; i < 2000; ++i) {
      all.push_back(random.below(most + 1));
      (i % 3 == 0 ? one : other).add(all.back());
    }
    one.add(other);
    check_percentiles(one, all);
  }
  CHECK(Histogram().percentile(0.5) == 0);
  Histogram longest;
  longest.add(~std::uint64_t{0});
  CHECK(longest.percentile(1) == ~std::uint64_t{0});
}

TEST_CASE("bench: every piece of every lane is due once, and the lanes take turns") {
  std::vector<std::int64_t> all;
  for (std::uint64_t lane = 0; lane < 4; ++lane) {
    const Schedule schedule(1000, 4, lane);
    for (std::uint64_t n = 0; n < 5; ++n) all.push_back(schedule.due(n));
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i] == static_cast<std::int64_t>(i) * 1'000'000);
  }
}

TEST_CASE("bench: a piece counts from when it was due, however long those before it took") {
  // One piece a microsecond; every so often one takes long, and those behind it are late.
  constexpr std::int64_t kEnd = 1'000'000;
  const auto takes = [](std::uint64_t n) { return n % 100 == 7 ? 40'000 : 300 + 7 * (n % 50); };
  WorkClock clock;
  const Paced paced = run_paced(clock, Schedule(1e6, 1, 0), kEnd, [&](std::uint64_t n) {
    clock.work(static_cast<std::int64_t>(takes(n)));
  });
  std::vector<std::uint64_t> all;
  std::uint64_t done = 0;
  std::int64_t free_at = 0;
  for (std::uint64_t n = 0; n < 1000; ++n) {
    const auto due = static_cast<std::int64_t>(n) * 1000;
    const std::int64_t begin = std::max(due, free_at);
    if (begin >= kEnd) {
      all.push_back(static_cast<std::uint64_t>(kEnd - due));
      continue;
    }
    ++done;
    free_at = begin + static_cast<std::int64_t>(takes(n));
    all.push_back(static_cast<std::uint64_t>(free_at - due));
  }
  CHECK(paced.done == done);
  CHECK(paced.asked() == 1000);
  check_percentiles(paced.times, all);
}

TEST_CASE("bench: what is never begun counts as having waited to the end") {
  WorkClock clock;
  const Paced paced = run_paced(clock, Schedule(1000, 1, 0), 10'000'000,
                                [&](std::uint64_t) { clock.work(25'000'000); });
  CHECK(paced.done == 1);
  CHECK(paced.late == 9);
  CHECK(paced.times.count() == 10);
  CHECK(paced.times.percentile(0) >= 1'000'000);
}

TEST_CASE("bench: lots fall by their weights, and authors have as many followers as asked for") {
  const Lots lots({1, 0, 3});
  Random random(2);
  std::map<std::size_t, int> drawn;
  for (int i = 0; i < 4000; ++i) ++drawn[lots.draw(random)];
  CHECK(drawn[1] == 0);
  CHECK(drawn[0] > 850);
  CHECK(drawn[0] < 1150);

  const std::vector<std::uint32_t> followers{0, 1, 2, 5, 30, 100, 2000};
  for (const double wanted : {1.0, 20.0, 200.0, 1500.0}) {
    const auto weights = cli::bench::weights_for_mean(followers, wanted);
    CHECK(cli::bench::mean_by(weights, followers) == doctest::Approx(wanted).epsilon(0.001));
  }
  // Nobody has so many.
  const auto weights = cli::bench::weights_for_mean({3, 3}, 200);
  CHECK(cli::bench::mean_by(weights, {3, 3}) == doctest::Approx(3));
}

}  // namespace chirp::test
