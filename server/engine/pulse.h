// Whether the store answers, for a health check that must be answered whatever the store does.
//
// A store in a database may keep a caller waiting for as long as its server is silent, so a thread
// of its own asks it: each second, and when somebody wants to know. Whoever asks is told at once
// that it is not well while an answer is overdue, and for a while after one was, or after a request
// has waited to the end of its time. A store in a folder waits for nobody and is asked by the
// caller. Safe to call from any thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp {

class Pulse {
 public:
  // `bound` is how long the store may take, 0 for one that waits for nobody. All must outlive it.
  Pulse(const Storage& storage, const Clock& clock, std::chrono::nanoseconds bound);
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  // The newest state; empty while the store does not answer. Waits for kOverdue at most.
  [[nodiscard]] std::optional<StoreState> state();

  static constexpr std::chrono::milliseconds kOverdue{1'000};
  static constexpr std::chrono::milliseconds kEach{1'000};
  // After an answer that was overdue.
  static constexpr std::chrono::milliseconds kDoubt{3'000};

 private:
  class Thread;
  const Storage& storage_;
  std::unique_ptr<Thread> thread_;  // null: the caller asks
};

}  // namespace chirp
