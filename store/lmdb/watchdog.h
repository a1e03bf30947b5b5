// Ends the process when LMDB goes round and round in a damaged file: when a write transaction uses
// far more processor time than any has work for, since it holds the writers' turn, and when a
// single search does.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace chirp::lmdb {

class Watchdog {
 public:
  // Watches the calling thread while this lives. Time in which it waits, for a disk or stopped,
  // does not count.
  explicit Watchdog(std::chrono::milliseconds most);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  timer_t timer_{};
  bool set_ = false;
};

// How many searches this thread has begun and ended: odd inside of one.
inline constinit thread_local std::atomic<std::uint64_t> searches{0};

// Lives as long as one search of LMDB's, which takes microseconds. One that uses `kSearchMax` of
// its thread's processor time is taken for endless, at the latest when it has used twice as much.
class Search {
 public:
  Search() noexcept {
    if (searches.load(std::memory_order_relaxed) == 0) watch();
    count();
  }
  ~Search() { count(); }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  static constexpr std::chrono::seconds kSearchMax{4};

 private:
  // Has the calling thread looked at from now on.
  static void watch() noexcept;
  static void count() noexcept {
    const auto counted = searches.load(std::memory_order_relaxed);
    searches.store(counted + 1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
};

// What a call that searches returns. Calls don't stand inside of each other.
template <class Call>
int watched(Call call) {
  const Search search;
  return call();
}

}  // namespace chirp::lmdb
