// How long a process waits for a database that may have stopped answering.
//
// A caller with a deadline (core/ports/caller.h) waits until the deadline. Other callers
// wait as long as the server works, because a load may have long statements. After each span of
// silence, a second session checks whether the server still works.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

namespace chirp::postgres {

// Shared by the connections of a process. Safe to call from any thread.
class Patience {
 public:
  // `interrupted`, if given, returns whether a signal has asked this process to end. `look` limits
  // the check of a silent server; default: `timeout`.
  explicit Patience(std::chrono::milliseconds timeout, bool (*interrupted)() = nullptr,
                    std::optional<std::chrono::milliseconds> look = std::nullopt)
      : timeout_(timeout), look_(look.value_or(timeout)), is_interrupted_(interrupted) {}

  // The limit for connecting, for locks and for the answer to a request. For other waits: the span
  // of silence before a check.
  [[nodiscard]] std::chrono::milliseconds timeout() const { return timeout_; }
  // Returns the deadline of a call that begins now, by the machine's steady clock.
  [[nodiscard]] std::int64_t deadline() const;
  [[nodiscard]] std::int64_t look_deadline() const;
  [[nodiscard]] bool is_interrupted() const {
    return is_interrupted_ != nullptr && is_interrupted_();
  }

  // From now on, changes have a deadline even if their caller has none, because a separate thread
  // writes the changes of a server's callers.
  void bound_changes() { bounds_changes_ = true; }
  [[nodiscard]] bool bounds_changes() const { return bounds_changes_; }

  // Limits every wait to this time from now, because the process is ending.
  void hurry(std::chrono::milliseconds most);
  // Returns when all waits end, by the machine's steady clock.
  [[nodiscard]] std::int64_t end_ns() const { return end_ns_; }

 private:
  const std::chrono::milliseconds timeout_;
  const std::chrono::milliseconds look_;
  bool (*const is_interrupted_)();
  std::atomic<bool> bounds_changes_{false};
  std::atomic<std::int64_t> end_ns_{std::numeric_limits<std::int64_t>::max()};
};

// Whether the deadline of this thread's caller has passed.
[[nodiscard]] bool is_caller_late();
// Returns the time until that deadline, at most `most`.
[[nodiscard]] std::chrono::milliseconds left_of(std::chrono::milliseconds most);

// The limits on a wait for a socket.
struct WaitBounds {
  const Patience* patience = nullptr;  // null: the caller's deadline is ignored too
  std::optional<std::int64_t> end_ns{};
  // Called after each span of silence, for callers without a deadline. May be empty.
  std::function<bool()> is_at_work{};
};
// Waits until a socket is ready for some of `events` (poll), and stores those in `ready`. Returns
// why it gave up, as a clause; empty if the socket is ready.
[[nodiscard]] std::string wait_for_socket(int socket, short events, short& ready,
                                          const WaitBounds& bounds);

}  // namespace chirp::postgres
