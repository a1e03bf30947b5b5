// Until when the caller of this thread waits for an answer, such as a request of a server. A store
// that waits for another machine gives up then, and says so. Stores in memory that is shared take
// no notice of it.
//
//   const CallerDeadline deadline(clock.steady_ns() + ten_seconds);
//   engine.feeds().page(…);  // throws Error{kUnavailable} after ten seconds at most
//
// One thread has several, one within the other: the earliest counts.
#pragma once

#include <cstdint>
#include <optional>

namespace chirp {

class CallerDeadline {
 public:
  // By Clock::steady_ns() of the machine.
  explicit CallerDeadline(std::int64_t end_ns) noexcept;
  ~CallerDeadline();
  CallerDeadline(const CallerDeadline&) = delete;
  CallerDeadline& operator=(const CallerDeadline&) = delete;

  // That of this thread; empty for a caller that waits for as long as it takes.
  [[nodiscard]] static std::optional<std::int64_t> current() noexcept;

  // Says that a store has let a caller wait to the end of its time, and when that was in this
  // process last; empty if it never was.
  static void note_missed(std::int64_t now_ns) noexcept;
  [[nodiscard]] static std::optional<std::int64_t> last_missed() noexcept;

 private:
  std::optional<std::int64_t> outer_;
};

}  // namespace chirp
