#include "tests/support/levels.h"

#include <numeric>

#include <fmt/format.h>

namespace chirp::test {

double Level::mean(std::size_t begin, std::size_t end) const {
  const auto at = [&](std::size_t i) { return samples_.begin() + static_cast<std::ptrdiff_t>(i); };
  return std::accumulate(at(begin), at(end), 0.0) / static_cast<double>(end - begin);
}

double Level::middle() const {
  const std::size_t third = samples_.size() / 3;
  return mean(third, 2 * third);
}

double Level::last() const {
  const std::size_t third = samples_.size() / 3;
  return mean(samples_.size() - third, samples_.size());
}

bool Level::holds() const {
  const double rounds = static_cast<double>(samples_.size()) / 3;  // between the thirds' middles
  return last() <=
         middle() * (1 + tolerance_.share) + tolerance_.more + tolerance_.each_round * rounds;
}

std::string Level::words() const {
  return fmt::format("{}: {:.0f} in the middle third, {:.0f} in the last, of {} rounds", what_,
                     middle(), last(), samples_.size());
}

}  // namespace chirp::test
