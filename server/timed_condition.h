// A condition variable whose waits use the Clock port.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "core/ports/clock.h"

namespace chirp {

class TimedCondition {
 public:
  // Both must outlive it; waits use this mutex.
  TimedCondition(const Clock& clock, std::mutex& mutex)
      : clock_(clock), moves_(clock.when_moved([this, &mutex] {
          // Locks and unlocks: a thread that read the clock under the mutex is waiting by now.
          { const std::lock_guard guard(mutex); }
          changed_.notify_all();
        })) {}

  void notify_one() noexcept { changed_.notify_one(); }
  void notify_all() noexcept { changed_.notify_all(); }

  // Waits until `holds()`, or until steady_ns() is `until_ns`. Returns whether it holds.
  template <class Holds>
  bool wait_until(std::unique_lock<std::mutex>& lock, std::int64_t until_ns, Holds holds) {
    while (!holds()) {
      const std::int64_t left = until_ns - clock_.steady_ns();
      if (left <= 0) return false;
      changed_.wait_for(lock, std::chrono::nanoseconds(left));
    }
    return true;
  }

 private:
  const Clock& clock_;
  std::condition_variable changed_;
  const std::shared_ptr<void> moves_;  // last, so that no notification comes before the rest exists
};

}  // namespace chirp
