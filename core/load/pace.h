// The manners of a load: short transactions, and a pause between them so that other writers get in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace chirp::load {

// Called after each write transaction, outside of it, from any thread. It gives way for at least a
// millisecond: a writer that takes its next turn at once starves those who wait.
using Pause = std::function<void()>;

// How many rows go into the next transaction so that it takes about limits::kLoadTransactionMs.
class Pace {
 public:
  // 0 < least <= first <= most. A disk that others keep busy makes every commit slow, and smaller
  // ones no quicker, so `least` is what by itself takes a good part of the time.
  Pace(std::size_t first, std::size_t least, std::size_t most)
      : rows_(first), least_(least), most_(most) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  // A transaction of `rows` took `ns`. What is far smaller than planned says little and is ignored:
  // there the commit itself is the cost.
  void note(std::size_t rows, std::int64_t ns);

 private:
  std::size_t rows_;
  std::size_t least_;
  std::size_t most_;
};

}  // namespace chirp::load
