// How many edges the next transaction of a load takes, in one database.
//
// A row of edges or counters is written anew by each transaction that changes it, so a load costs
// less the larger its transactions are. A large one ends unwritten as soon as another writer waits
// (turn.h). Small ones follow, which always run to their end. The more often a large one has to
// end, the more small ones follow.
//
//   LoadPace pace(options.edges_at_once, options.edges_at_most);
//   pace.edges();      // for the next transaction
//   pace.committed(ns);  // or pace.gave_way()
//
// One thread at a time.
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
  // Whether a transaction of this size ends if another writer waits.
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
  // So that a load shows what it has done, and a server that is slow by itself is not held up.
  static constexpr std::int64_t kLongestNs = 4'000'000'000;
  static constexpr std::size_t kNeededLeast = 4;
  static constexpr std::size_t kNeededMost = 64;

  std::size_t least_;
  std::size_t most_;
  std::size_t edges_;
  std::size_t needed_ = 1;  // transactions of this size before larger ones are tried
  std::size_t calm_ = 0;    // of them so far
};

}  // namespace chirp::postgres
