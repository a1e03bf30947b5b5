// The readers and authors of the reference load.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/bench/world.h"
#include "core/ports/snapshot.h"

namespace chirp::cli::bench {

// Draws indexes by weight, with the caller's random numbers.
class Lots {
 public:
  explicit Lots(const std::vector<double>& weights);
  [[nodiscard]] std::size_t draw(Random& random) const;

 private:
  std::vector<double> sums_;
};

// Zipf weights for `count` places: the n-th is one n-th of the first.
[[nodiscard]] std::vector<double> zipf_weights(std::size_t count);
// Weights so that a drawn author has `wanted` followers on average, or as near as possible. Each
// weight is a power of the number of followers, with one exponent for all.
[[nodiscard]] std::vector<double> weights_for_mean(const std::vector<std::uint32_t>& followers,
                                                   double wanted);
[[nodiscard]] double mean_by(const std::vector<double>& weights,
                             const std::vector<std::uint32_t>& followers);

struct Crowd {
  std::vector<UserNumber> readers;  // users with follows, ordered by how often they read
  Lots reader_lots;
  std::vector<UserNumber> authors;
  std::vector<std::uint32_t> followers;  // of each author
  Lots author_lots;
  double followers_a_post = 0;
};

// Chooses at most `readers` readers at random. Throws Error{kInvalidArgument} if there are no
// follows.
[[nodiscard]] Crowd crowd_of(const Snapshot& snapshot, std::size_t readers,
                             double followers_a_post);

}  // namespace chirp::cli::bench
