// Generates texts for `chirp load graph` and `chirp load posts`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>

#include "cli/bench/world.h"
#include "core/model/post.h"
#include "core/ports/clock.h"

namespace chirp::cli::bench {

// A pseudo-random permutation of the numbers below `count`, without a table.
class Shuffle {
 public:
  // 0 < count <= 2^62.
  explicit Shuffle(std::uint64_t count);
  // number < count.
  [[nodiscard]] std::uint64_t at(std::uint64_t number) const;

 private:
  std::uint64_t count_;
  unsigned bits_ = 1;
};

// A number below `count`; low numbers are more frequent. The square of an even draw is close to a
// power law.
[[nodiscard]] std::uint64_t popular(Random& random, std::uint64_t count);

// Writes the smallest number of edges that names this many users.
void write_pairs(const std::filesystem::path& file, std::uint32_t users);

// Writes edges sorted by follower, the same number for each, with random followees. Some users are
// much more popular than others, and they are spread over all ids.
void write_sorted_edges(const std::filesystem::path& file, std::uint32_t users,
                        std::uint64_t edges);

// Writes a line of JSON.
void write_post(std::ostream& out, const Post& post);

enum class PostOrder : std::uint8_t { kByTime, kRandom };
// Writes posts of random authors over the last hundred days, with ids in the order of time.
void write_posts(const std::filesystem::path& file, std::uint32_t users, std::uint64_t posts,
                 PostOrder order, Time now);

}  // namespace chirp::cli::bench
