// How long the programs run that kill, fail and cut the power: in small in a test, or as long as
// asked.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace chirp::test {

// CHIRP_TORTURE_SECONDS says how long; without it a sample is enough. Rounds have seeds, from
// CHIRP_SEED up.
class Budget {
 public:
  explicit Budget(std::string_view what);

  // Everything is to be tried, as long as there is time.
  [[nodiscard]] bool thorough() const { return end_.has_value(); }
  [[nodiscard]] bool over() const;
  // The seed of the round at hand.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  // Things to try, in their order, or where all are tried in one that the seed decides: time may
  // be over before the last of them.
  template <class Thing>
  [[nodiscard]] std::vector<Thing> in_order(std::vector<Thing> things) const {
    std::mt19937_64 random(seed_);
    if (thorough()) std::shuffle(things.begin(), things.end(), random);
    return things;
  }
  // Ends a round. True if another one is to come, with another seed.
  bool next();
  // So many things were tried; said now and then, with the time, where it takes long.
  void tried(std::uint64_t count = 1);

 private:
  using Clock = std::chrono::steady_clock;
  void say();

  std::string_view what_;
  Clock::time_point begin_ = Clock::now();
  std::optional<Clock::time_point> end_;
  Clock::time_point said_ = begin_;
  std::uint64_t seed_;
  std::uint64_t rounds_ = 0;
  std::uint64_t tried_ = 0;
};

}  // namespace chirp::test
