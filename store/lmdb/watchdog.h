// Ends the process when a write transaction uses far more processor time than any has work for: in
// a damaged file LMDB may go round and round, and whoever does that holds the writers' turn.
#pragma once

#include <chrono>
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

}  // namespace chirp::lmdb
