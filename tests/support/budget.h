// The running time of programs that test kills, failures and power loss: short in a test, or as
// long as requested.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace chirp::test {

// CHIRP_TORTURE_AT, which shows one failure again: `VERB|MODE|CALL` or `SCRIPT|MOMENT`.
[[nodiscard]] std::string torture_at();

// CHIRP_TORTURE_SECONDS is the time; without it a sample is tried. Each round has a seed, from
// CHIRP_SEED up.
class Budget {
 public:
  explicit Budget(std::string_view what);

  // Whether to try everything while there is time.
  [[nodiscard]] bool thorough() const { return end_.has_value(); }
  [[nodiscard]] bool over() const;
  // The seed of the current round.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  // Returns things to try: in the given order, or shuffled by the seed if everything is tried,
  // because time may end before the last one.
  template <class Thing>
  [[nodiscard]] std::vector<Thing> in_order(std::vector<Thing> things) const {
    std::mt19937_64 random(seed_);
    if (thorough()) std::shuffle(things.begin(), things.end(), random);
    return things;
  }
  // Ends a round. Returns true if another one follows, with another seed.
  bool next();
  // Counts tries, and reports them from time to time in long runs.
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
