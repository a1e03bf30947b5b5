#include "store/lmdb/edge_pace.h"

#include <algorithm>

#include "core/limits.h"

namespace chirp::lmdb {
namespace {

// A disk that others keep busy makes every commit slow, and smaller ones no quicker: below so many
// there would only be more of them.
constexpr std::size_t kEdgesAtOnceMin = 8'192;
constexpr std::size_t kEdgesAtOnceMax = 2'000'000;
// What the chunks of a user take grows with each of them, so that a transaction often takes longer
// than the ones before foretell.
constexpr double kTargetMs = limits::kLoadTransactionMs * 0.75;

}  // namespace

void EdgePace::took(std::size_t edges, std::size_t at_once,
                    std::chrono::duration<double, std::milli> time) {
  const double factor = std::clamp(kTargetMs / std::max(time.count(), 0.1), 0.5, 1.5);
  if (edges < at_once && factor >= 1) return;
  at_once_ = std::clamp(static_cast<std::size_t>(static_cast<double>(edges) * factor),
                        kEdgesAtOnceMin, kEdgesAtOnceMax);
}

}  // namespace chirp::lmdb
