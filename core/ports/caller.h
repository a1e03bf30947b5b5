// What a store knows about this thread's caller: how long it waits, and what its request has read.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/error.h"

namespace chirp {

// The deadline of this thread's caller, such as a server request. A store that waits for another
// machine gives up at the deadline and reports it. Stores in shared memory ignore it.
//
//   const CallerDeadline deadline(clock.steady_ns() + ten_seconds);
//   engine.feeds().page(…);  // throws Error{kUnavailable} after ten seconds at most
//
// Deadlines nest within a thread: the earliest counts.
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

// Both versions, read at one moment.
struct Versions {
  std::uint64_t store = 0;  // Storage::version()
  std::uint64_t users = 0;  // UserDirectory::version()

  bool operator==(const Versions&) const = default;
};

// The versions of the stores that a request has read. A remote store answers Storage::version() and
// UserDirectory::version() by a round trip. Within the life of a RequestVersions, one round trip
// serves all calls of its thread, because it began after the request had come. A write by this
// process invalidates what was read, so later reads ask again.
//
// Stores in shared memory ignore it. A thread may have several, nested: the innermost counts.
class RequestVersions {
 public:
  struct Seen {
    const void* where = nullptr;  // identifies the store; never dereferenced
    std::uint64_t changes = 0;    // number of changes by this process there before the read began
    Versions versions{};
    std::optional<Error> failure{};  // set instead of `versions`
  };

  // The read of `seen` must have begun after the work of this scope was requested.
  explicit RequestVersions(std::optional<Seen> seen = std::nullopt) noexcept;
  ~RequestVersions();
  RequestVersions(const RequestVersions&) = delete;
  RequestVersions& operator=(const RequestVersions&) = delete;

  // Returns the innermost one of this thread, or null.
  [[nodiscard]] static RequestVersions* current() noexcept;

  // For passing on to a thread that continues the same request.
  [[nodiscard]] const std::optional<Seen>& seen() const { return seen_; }
  void see(Seen seen) { seen_ = std::move(seen); }

 private:
  std::optional<Seen> seen_;
  RequestVersions* outer_;
};

}  // namespace chirp
