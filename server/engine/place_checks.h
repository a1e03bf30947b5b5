// Checks whether the served data are still in their place, at most once a second.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

#include "core/ports/clock.h"
#include "server/log.h"

namespace chirp {

// Safe to call from any thread.
class PlaceChecks {
 public:
  // `check` throws an Error that says what is wrong; it is empty if nothing can be wrong. `clock`
  // and `log` must outlive this object.
  PlaceChecks(std::function<void()> check, const Clock& clock, Log& log)
      : check_(std::move(check)), clock_(clock), log_(log) {}

  // Returns the result of the last check, at most a second old. Logs a problem when it is first
  // found.
  [[nodiscard]] bool holds();

 private:
  std::function<void()> check_;
  const Clock& clock_;
  Log& log_;
  std::mutex mutex_;
  std::optional<std::int64_t> checked_at_ns_;
  bool holds_ = true;
};

}  // namespace chirp
