// Pacing of long work: short write transactions, so that other writers hardly wait.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/limits.h"

namespace chirp {

// Computes how many rows the next transaction should have to take about the target time.
class Pace {
 public:
  // 0 < least <= first <= most. On a busy disk every commit is slow, and smaller ones are no
  // faster, so a transaction of `least` rows should take a good part of the target time.
  Pace(std::size_t first, std::size_t least, std::size_t most,
       int target_ms = limits::kLoadTransactionMs)
      : rows_(first), least_(least), most_(most), target_ms_(target_ms) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  // A transaction of `rows` took `ns`. Transactions far smaller than planned are ignored, because
  // the commit dominates their time.
  void note(std::size_t rows, std::int64_t ns) {
    if (rows < rows_ / 2) return;
    const double target_ns = target_ms_ * 1e6;
    const double fitting = ns > 0 ? static_cast<double>(rows) * target_ns / static_cast<double>(ns)
                                  : static_cast<double>(rows_) * 2;
    // At most doubles or halves, so that one wrong measurement does little harm.
    const auto low = static_cast<double>(std::max(least_, rows_ / 2));
    const auto high = static_cast<double>(std::min(most_, rows_ * 2));
    rows_ = static_cast<std::size_t>(std::clamp(fitting, low, high));
  }

 private:
  std::size_t rows_;
  std::size_t least_;
  std::size_t most_;
  int target_ms_;
};

}  // namespace chirp
