// The manners of long work: short write transactions, so that other writers hardly wait.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/limits.h"

namespace chirp {

// How many rows go into the next transaction so that it takes about so many milliseconds.
class Pace {
 public:
  // 0 < least <= first <= most. A disk that others keep busy makes every commit slow, and smaller
  // ones no quicker, so `least` is what by itself takes a good part of the time.
  Pace(std::size_t first, std::size_t least, std::size_t most,
       int target_ms = limits::kLoadTransactionMs)
      : rows_(first), least_(least), most_(most), target_ms_(target_ms) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  // A transaction of `rows` took `ns`. What is far smaller than planned says little and is ignored:
  // there the commit itself is the cost.
  void note(std::size_t rows, std::int64_t ns);

 private:
  std::size_t rows_;
  std::size_t least_;
  std::size_t most_;
  int target_ms_;
};

}  // namespace chirp
