// Who reads and who writes in the reference load.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/bench/world.h"
#include "core/ports/snapshot.h"

namespace chirp::cli::bench {

// Draws places by weight, with numbers that somebody else makes up.
class Lots {
 public:
  explicit Lots(const std::vector<double>& weights);
  [[nodiscard]] std::size_t draw(Random& random) const;

 private:
  std::vector<double> sums_;
};

// The weights of `count` places by Zipf: the n-th has one n-th of the first.
[[nodiscard]] std::vector<double> zipf_weights(std::size_t count);
// Weights by which a draw has `wanted` followers on average, or as near to it as can be: a power of
// the number of followers, the same for everybody.
[[nodiscard]] std::vector<double> weights_for_mean(const std::vector<std::uint32_t>& followers,
                                                   double wanted);
[[nodiscard]] double mean_by(const std::vector<double>& weights,
                             const std::vector<std::uint32_t>& followers);

struct Crowd {
  std::vector<UserNumber> readers;  // who follow somebody, in the order of how often they read
  Lots reader_lots;
  std::vector<UserNumber> authors;
  std::vector<std::uint32_t> followers;  // of each author
  Lots author_lots;
  double followers_a_post = 0;
};

// `readers` readers at most, chosen without a pattern. Throws Error{kInvalidArgument} if nobody
// follows anybody.
[[nodiscard]] Crowd crowd_of(const Snapshot& snapshot, std::size_t readers,
                             double followers_a_post);

}  // namespace chirp::cli::bench
