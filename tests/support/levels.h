// Checks that a value does not grow in the long run: compares samples of the middle and the last
// third of the rounds. The first third is for warming up.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace chirp::test {

// How much the last third may exceed the middle one.
struct Tolerance {
  double share = 0;       // relative to the middle third
  double more = 0;        // added to that
  double each_round = 0;  // permanent growth allowed for each round
};

class Level {
 public:
  Level(std::string what, Tolerance tolerance) : what_(std::move(what)), tolerance_(tolerance) {}

  void add(double sample) { samples_.push_back(sample); }
  // The means of the middle and the last third; needs at least three samples.
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
