// How many edges the next transaction of a load writes, in one database.
//
// Each transaction rewrites the rows of edges and counters that it changes, so larger transactions
// make a load cheaper. A large one is rolled back as soon as another writer waits (turn.h). Small
// ones follow, which always complete. Each rollback raises the number of small ones.
//
//   LoadPace pace(options.edges_at_once, options.edges_at_most);
//   pace.edges();      // for the next transaction
//   pace.committed(ns);  // or pace.gave_way()
//
// Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace chirp::postgres {

class LoadPace {
 public:
  LoadPace(std::size_t least, std::size_t most)
      : least_(least), most_(std::max(least, most)), edges_(least) {}

  [[nodiscard]] std::size_t edges() const { return edges_; }
  // Whether a transaction of this size is rolled back if another writer waits.
  [[nodiscard]] bool gives_way() const { return edges_ > least_; }

  // `ns` is how long the transaction took.
  void committed(std::int64_t ns) {
    if (ns > kLongestNs) edges_ = std::max(edges_ / 2, least_);
    if (++calm_ < needed_ || ns > kLongestNs / 2) return;
    calm_ = 0;
    if (gives_way()) needed_ = std::max<std::size_t>(needed_ / 2, 1);
    edges_ = std::min(2 * edges_, most_);
  }
  void gave_way() {
    calm_ = 0;
    needed_ = std::clamp(2 * needed_, kNeededLeast, kNeededMost);
    edges_ = least_;
  }

 private:
  // After a longer transaction the size is halved: a load shows progress, and a slow server is not
  // held up.
  static constexpr std::int64_t kLongestNs = 4'000'000'000;
  static constexpr std::size_t kNeededLeast = 4;
  static constexpr std::size_t kNeededMost = 64;

  std::size_t least_;
  std::size_t most_;
  std::size_t edges_;
  std::size_t needed_ = 1;  // transactions of this size before larger ones are tried
  std::size_t calm_ = 0;    // transactions of this size so far
};

}  // namespace chirp::postgres
