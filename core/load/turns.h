// The write transactions of a load, one at a time. Its threads take turns before they wait for
// other writers, and after each transaction there is a pause in which other writers can start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "core/pace.h"
#include "core/ports/clock.h"

namespace chirp::load {

// Called after each write transaction, outside of it, from any thread. It pauses for at least a
// millisecond: a writer that takes its next turn at once starves the others.
using Pause = std::function<void()>;

class Turns {
 public:
  Turns(const Clock& clock, Pause pause) : clock_(clock), pause_(std::move(pause)) {}

  // Waits for this thread's turn, then runs `write`, a transaction of `rows` rows, and returns its
  // result. Reports the duration without the wait to `pace`.
  template <class Write>
  auto take(Pace& pace, std::size_t rows, Write write) {
    const auto timed = [&] {
      const std::int64_t started = clock_.steady_ns();
      auto result = write();
      pace.note(rows, clock_.steady_ns() - started);
      return result;
    };
    return take(timed);
  }
  // The same for a transaction with its own pace.
  template <class Write>
  auto take(Write write) {
    auto result = [&] {
      const std::lock_guard lock(mutex_);
      return write();
    }();
    pause();
    return result;
  }
  void pause() { pause_(); }

 private:
  const Clock& clock_;
  Pause pause_;
  std::mutex mutex_;
};

}  // namespace chirp::load
