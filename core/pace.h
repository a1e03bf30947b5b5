// The manners of long work: short write transactions, so that other writers hardly wait.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/ports/clock.h"

namespace chirp {

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

// Calls `step(rows)`, a transaction that takes up to so many rows, until it says that it was the
// last one. Each takes about limits::kLoadTransactionMs; what that is in rows depends on where they
// lie, which differs from step to step.
template <class Step>
void in_steps(const Clock& clock, Step step) {
  Pace pace(1'000, 250, 4'000);
  for (;;) {
    const std::size_t rows = pace.rows();
    const std::int64_t started = clock.steady_ns();
    if (step(static_cast<std::uint32_t>(rows))) return;
    pace.note(rows, clock.steady_ns() - started);
  }
}

}  // namespace chirp
