// Whether the store answers, for a health check that must respond whatever the store does.
//
// A database may block its callers for as long as it is silent. So a separate thread asks it every
// second, and whenever a caller wants to know. Callers get an immediate "not healthy" while an
// answer is overdue, for a while after an overdue answer, and for a while after a request has
// waited past its deadline. A store in a folder never blocks, so the caller asks it directly. Safe
// to call from any thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "core/ports/clock.h"
#include "core/ports/storage.h"

namespace chirp {

class Pulse {
 public:
  // `bound` is how long the store may take; 0 if it never blocks. All arguments must outlive this.
  Pulse(const Storage& storage, const Clock& clock, std::chrono::nanoseconds bound);
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  // Returns the newest state, or empty while the store does not answer. Waits at most kOverdue.
  [[nodiscard]] std::optional<StoreState> state();

  static constexpr std::chrono::milliseconds kOverdue{1'000};
  static constexpr std::chrono::milliseconds kEach{1'000};
  // How long the store counts as unhealthy after an overdue answer.
  static constexpr std::chrono::milliseconds kDoubt{3'000};

 private:
  class Thread;
  const Storage& storage_;
  std::unique_ptr<Thread> thread_;  // null: the caller asks the store itself
};

}  // namespace chirp
