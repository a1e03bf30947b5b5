#include "server/engine/place_checks.h"

#include "core/error.h"

namespace chirp {
namespace {

constexpr std::int64_t kEveryNs = 1'000'000'000;

}  // namespace

bool PlaceChecks::holds() {
  if (!check_) return true;
  const std::lock_guard lock(mutex_);
  const std::int64_t now = clock_.steady_ns();
  if (checked_at_ns_ && now - *checked_at_ns_ < kEveryNs) return holds_;
  checked_at_ns_ = now;
  const bool held = holds_;
  try {
    check_();
    holds_ = true;
  } catch (const Error& error) {
    holds_ = false;
    if (held) log_.write(Severity::kError, error.what());
  }
  return holds_;
}

}  // namespace chirp
