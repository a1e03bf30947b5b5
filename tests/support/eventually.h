// Waits for other threads and processes, as long as something moves.
#pragma once

#include <condition_variable>
#include <mutex>

#include "tests/support/progress.h"

namespace chirp::test {

// Polls until `holds()`; false if nothing moves any more.
template <class Condition>
[[nodiscard]] bool eventually(Condition holds) {
  for (Patience patience; !holds();) {
    if (!patience.rests()) return holds();
  }
  return true;
}

// The same with a condition variable; `lock` is held whenever `holds` is called.
template <class Condition>
[[nodiscard]] bool eventually(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
                              Condition holds) {
  for (Patience patience; !changed.wait_for(lock, patience.pause(), holds);) {
    lock.unlock();
    const bool lasts = patience.lasts();
    lock.lock();
    if (!lasts) return holds();
  }
  return true;
}

}  // namespace chirp::test
