// A clock that moves only on request. Any thread may use it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "core/model/ids.h"
#include "core/ports/clock.h"

namespace chirp::test {

class FakeClock : public Clock {
 public:
  // `step` is how far each read moves the steady clock.
  explicit FakeClock(Time start = Time{snowflake::kEpochMs + 100 * kDayMs},
                     std::int64_t look_ns = 1000)
      : now_ms_(start.ms), look_ns_(look_ns) {}

  [[nodiscard]] Time now() const override { return {now_ms_}; }
  [[nodiscard]] std::int64_t steady_ns() const override {
    const std::int64_t ns = steady_ns_ += look_ns_;
    ++looks_;
    return ns;
  }
  [[nodiscard]] std::shared_ptr<void> when_moved(std::function<void()> told) const override {
    const std::lock_guard lock(mutex_);
    const auto at = told_.insert(told_.end(), std::move(told));
    return {nullptr, [this, at](void*) {
              const std::lock_guard erasing(mutex_);
              told_.erase(at);
            }};
  }

  // The number of reads of the steady clock.
  [[nodiscard]] std::int64_t looks() const { return looks_; }

  // Moves the clock; all waiters are notified on return. Negative: the wall clock steps back.
  void advance(std::int64_t ms) {
    now_ms_ += ms;
    if (ms > 0) steady_ns_ += ms * 1'000'000;
    const std::lock_guard lock(mutex_);
    for (const auto& each : told_) each();
  }

 private:
  std::atomic<std::int64_t> now_ms_;
  const std::int64_t look_ns_;
  mutable std::atomic<std::int64_t> steady_ns_{0};
  mutable std::atomic<std::int64_t> looks_{0};
  mutable std::mutex mutex_;
  mutable std::list<std::function<void()>> told_;
};

// Reads do not move it.
class StillClock final : public FakeClock {
 public:
  explicit StillClock(Time start = Time{1'767'225'600'000}) : FakeClock(start, 0) {}  // 2026-01-01
};

}  // namespace chirp::test
