#include "store/lmdb/edge_pace.h"

#include <algorithm>

#include "core/limits.h"

namespace chirp::lmdb {
namespace {

// On a busy disk every commit is slow, and smaller ones are no faster: a lower minimum would only
// mean more of them.
constexpr std::size_t kEdgesAtOnceMin = 8'192;
constexpr std::size_t kEdgesAtOnceMax = 2'000'000;
// A user's chunks take longer with each new one, so a transaction often takes longer than the last
// ones predict.
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
