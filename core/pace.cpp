#include "core/pace.h"

#include <algorithm>

namespace chirp {

void Pace::note(std::size_t rows, std::int64_t ns) {
  if (rows < rows_ / 2) return;
  const double target_ns = target_ms_ * 1e6;
  const double fitting = ns > 0 ? static_cast<double>(rows) * target_ns / static_cast<double>(ns)
                                : static_cast<double>(rows_) * 2;
  // At most doubles or halves, so that one wrong measurement does little harm.
  const auto low = static_cast<double>(std::max(least_, rows_ / 2));
  const auto high = static_cast<double>(std::min(most_, rows_ * 2));
  rows_ = static_cast<std::size_t>(std::clamp(fitting, low, high));
}

}  // namespace chirp
