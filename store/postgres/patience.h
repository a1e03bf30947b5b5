// How long a process waits for a database that may have stopped answering.
//
// A caller with a deadline (core/ports/caller_deadline.h) is told when it is over. Any other waits
// for as long as the server is at work: a load may have long statements. After each span of silence
// another session asks whether it still is.
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
  // `interrupted`, if given, says that a signal has asked this process to end.
  // A look at what a silent server does may take as long as `look`: as the timeout, unless told.
  explicit Patience(std::chrono::milliseconds timeout, bool (*interrupted)() = nullptr,
                    std::optional<std::chrono::milliseconds> look = std::nullopt)
      : timeout_(timeout), look_(look.value_or(timeout)), is_interrupted_(interrupted) {}

  // For connecting, for locks, for the answer to a request, and the span of silence of others.
  [[nodiscard]] std::chrono::milliseconds timeout() const { return timeout_; }
  // By the machine's steady clock: the deadline of who begins now.
  [[nodiscard]] std::int64_t deadline() const;
  [[nodiscard]] std::int64_t look_deadline() const;
  [[nodiscard]] bool is_interrupted() const {
    return is_interrupted_ != nullptr && is_interrupted_();
  }

  // From now on changes have a deadline, even if their caller says none: those of a server are
  // gathered by a thread of its own.
  void bound_changes() { bounds_changes_ = true; }
  [[nodiscard]] bool bounds_changes() const { return bounds_changes_; }

  // No wait goes on for longer than so long from now: the process ends.
  void hurry(std::chrono::milliseconds most);
  // When all waits are over, by the machine's steady clock.
  [[nodiscard]] std::int64_t end_ns() const { return end_ns_; }

 private:
  const std::chrono::milliseconds timeout_;
  const std::chrono::milliseconds look_;
  bool (*const is_interrupted_)();
  std::atomic<bool> bounds_changes_{false};
  std::atomic<std::int64_t> end_ns_{std::numeric_limits<std::int64_t>::max()};
};

// Whether the deadline of this thread's caller is over.
[[nodiscard]] bool is_caller_late();
// What is left of `most` until then.
[[nodiscard]] std::chrono::milliseconds left_of(std::chrono::milliseconds most);

// What ends a wait for a socket.
struct WaitBounds {
  const Patience* patience = nullptr;  // null: the deadline of the caller does not count either
  std::optional<std::int64_t> end_ns{};
  // Asked after each span of silence of a caller without a deadline; empty: it is not asked.
  std::function<bool()> is_at_work{};
};
// Waits until a socket is ready for some of `events` (poll), which `ready` tells then. Why it was
// given up, as a clause; empty where it is ready.
[[nodiscard]] std::string wait_for_socket(int socket, short events, short& ready,
                                          const WaitBounds& bounds);

}  // namespace chirp::postgres
