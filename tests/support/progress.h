// How tests wait: until something is true, as long as something moves. No wait has a limit in
// seconds: a busy machine is slow, and only a test in which nothing moves has failed.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <poll.h>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace chirp::test {

struct PatienceBounds {
  // Time without movement, less the time with movement: so a process that only wakes now and then,
  // such as a server that polls each second, does not keep a hanging test alive.
  std::chrono::milliseconds quiet{20'000};
  // Processor time used, per core of the machine: detects an endless loop.
  std::chrono::milliseconds processor{300'000};
};

// The observations so far of the threads and processes waited for.
class Balance {
 public:
  // Adds the time since the last look: its length, the processor time used, and whether anything
  // runs now or waits for a processor or a disk.
  void add(std::chrono::milliseconds passed, std::chrono::milliseconds used, bool runs);
  void forget_quiet() { quiet_ = {}; }
  [[nodiscard]] bool is_within(const PatienceBounds& bounds) const {
    return quiet_ < bounds.quiet && used_ < bounds.processor;
  }
  // The reason, for a message.
  [[nodiscard]] std::string words(const PatienceBounds& bounds) const;

 private:
  std::chrono::milliseconds quiet_{};
  std::chrono::milliseconds used_{};
};

// Decides whether it is worth waiting on. Movement is that the other threads of this process, or
// any of the processes that the test has started, use a processor, wait for one, or wait for a
// disk. Belongs to the thread that waits, whose own looking does not count.
class Patience {
 public:
  Patience() : Patience(PatienceBounds{}) {}
  explicit Patience(PatienceBounds bounds);

  // Returns how long the caller blocks before it looks again: a small part of the time waited so
  // far.
  [[nodiscard]] std::chrono::milliseconds pause() const;
  // Call it after each pause. Returns false if waiting is hopeless.
  [[nodiscard]] bool lasts();
  // Blocks for a pause, then works like lasts().
  [[nodiscard]] bool rests();
  // Records that part of the result has arrived.
  void renew() { balance_.forget_quiet(); }
  // The reason why waiting is hopeless, for a message.
  [[nodiscard]] std::string reason() const { return balance_.words(bounds_); }

 private:
  using Clock = std::chrono::steady_clock;

  PatienceBounds bounds_;
  Balance balance_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point looked_ = begin_;
  std::optional<std::chrono::milliseconds> seen_;  // the others' processor time at the last check
};

// Waits until one of the descriptors is ready, as poll() does; false if nothing moves.
[[nodiscard]] bool until_ready(std::span<pollfd> ends, Patience& patience);
[[nodiscard]] bool until_ready(int descriptor, short events);

// Counts a process that the test has not started as its own, with its descendants: a server shared
// by several tests.
void count_also(pid_t process);

// Data shared with the process that watches a test run (watched_run.h).
struct Watched {
  std::atomic<pid_t> root = 0;      // all its descendants count; 0: those of the calling process
  std::atomic<unsigned> tests = 0;  // started so far
  std::array<char, 256> test{};     // the name of the latest
  std::array<std::atomic<pid_t>, 4> others{};
};
// `shared` must be memory shared with child processes, and is never released.
void share_watched(Watched& shared);
[[nodiscard]] Watched& watched();
// One line for each process below the root: its id, its name and the states of its threads.
[[nodiscard]] std::string described_processes();
// The ids of all descendants of the process.
[[nodiscard]] std::vector<pid_t> processes_below(pid_t process);
[[nodiscard]] std::vector<pid_t> processes_below_root();

}  // namespace chirp::test
