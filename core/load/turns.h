// The write transactions of a load, one at a time. Its threads take turns before they wait for
// other writers, and after each transaction there is a pause in which other writers can start.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
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
  // Writes all rows, as many in a transaction as the pace gives: `write` gets some of them.
  template <class Row, class Write>
  void take_all(Pace& pace, std::span<Row> rows, Write write) {
    while (!rows.empty()) {
      const auto some = rows.first(std::min(pace.rows(), rows.size()));
      take(pace, some.size(), [&] {
        write(some);
        return true;
      });
      rows = rows.subspan(some.size());
    }
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
