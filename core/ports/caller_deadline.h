// The deadline of this thread's caller, such as a server request. A store that waits for another
// machine gives up at the deadline and reports it. Stores in shared memory ignore it.
//
//   const CallerDeadline deadline(clock.steady_ns() + ten_seconds);
//   engine.feeds().page(…);  // throws Error{kUnavailable} after ten seconds at most
//
// Deadlines nest within a thread: the earliest counts.
#pragma once

#include <cstdint>
#include <optional>

namespace chirp {

class CallerDeadline {
 public:
  // `end_ns` is in Clock::steady_ns() of the machine.
  explicit CallerDeadline(std::int64_t end_ns) noexcept;
  ~CallerDeadline();
  CallerDeadline(const CallerDeadline&) = delete;
  CallerDeadline& operator=(const CallerDeadline&) = delete;

  // Returns this thread's deadline, or empty if its caller waits without limit.
  [[nodiscard]] static std::optional<std::int64_t> current() noexcept;

  // note_missed() records that a store kept a caller waiting past its deadline. last_missed()
  // returns when that last happened in this process, or empty if never.
  static void note_missed(std::int64_t now_ns) noexcept;
  [[nodiscard]] static std::optional<std::int64_t> last_missed() noexcept;

 private:
  std::optional<std::int64_t> outer_;
};

}  // namespace chirp
