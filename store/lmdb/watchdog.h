// Ends the process if LMDB loops forever in a damaged file: if a write transaction uses far more
// processor time than any needs, because it holds the writers' turn, or if a single search does.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace chirp::lmdb {

class Watchdog {
 public:
  // Watches the calling thread while it lives. Time spent waiting for a disk or stopped does not
  // count.
  explicit Watchdog(std::chrono::milliseconds most);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  timer_t timer_{};
  bool set_ = false;
};

// Number of searches that this thread has begun and ended: odd during one.
inline constinit thread_local std::atomic<std::uint64_t> searches{0};

// Lives during one LMDB search, which takes microseconds. A search that uses `kSearchMax` of its
// thread's processor time counts as endless; detected before it has used twice as much.
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
  // Watches the calling thread from now on.
  static void watch() noexcept;
  static void count() noexcept {
    const auto counted = searches.load(std::memory_order_relaxed);
    searches.store(counted + 1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
};

// Returns the result of a call that searches. Calls can't be nested.
template <class Call>
int watched(Call call) {
  const Search search;
  return call();
}

}  // namespace chirp::lmdb
