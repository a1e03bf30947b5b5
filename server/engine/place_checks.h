// Whether what is served is still in its place, asked at most once a second.
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
  // `check` throws an Error that says what is wrong; empty if nothing can be. The others outlive
  // this.
  PlaceChecks(std::function<void()> check, const Clock& clock, Log& log)
      : check_(std::move(check)), clock_(clock), log_(log) {}

  // What the last check found, of a second ago at most. What is found first is logged.
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
