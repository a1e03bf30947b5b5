// Whether something stays level in the long run: what is measured after each round, and judged by
// the middle and the last third of the rounds, since the first third warms up.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace chirp::test {

// How much more the last third may have than the middle one.
struct Tolerance {
  double share = 0;       // of what the middle third has
  double more = 0;        // beside that
  double each_round = 0;  // what a round may leave behind for good
};

class Level {
 public:
  Level(std::string what, Tolerance tolerance) : what_(std::move(what)), tolerance_(tolerance) {}

  void add(double sample) { samples_.push_back(sample); }
  // The means of the middle and the last third; not of fewer than three samples.
  [[nodiscard]] double middle() const;
  [[nodiscard]] double last() const;
  [[nodiscard]] bool holds() const;
  // `memory: 5.1 in the middle third, 5.2 in the last, of 30 rounds`
  [[nodiscard]] std::string words() const;

 private:
  [[nodiscard]] double mean(std::size_t begin, std::size_t end) const;

  std::string what_;
  Tolerance tolerance_;
  std::vector<double> samples_;
};

}  // namespace chirp::test
