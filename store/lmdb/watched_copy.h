// Watches a file that LMDB copies itself into, because LMDB reports no progress.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>

#include "store/watched.h"

namespace chirp::lmdb {

// While it lives, a thread reports the file's length to `watched` and syncs what is written. If
// `watched` throws, later writes to the file fail.
class WatchedCopy {
 public:
  // `fd` must be open for writing while this lives. `bytes` is the approximate final size.
  WatchedCopy(int fd, std::uint64_t bytes, const store::Watched& watched);
  WatchedCopy(const WatchedCopy&) = delete;
  WatchedCopy& operator=(const WatchedCopy&) = delete;
  ~WatchedCopy();

  // Stops watching. Throws what `watched` has thrown.
  void finish();

 private:
  void watch();

  int fd_;
  std::uint64_t bytes_;
  const store::Watched& watched_;
  std::atomic<bool> over_{false};
  std::exception_ptr thrown_;
  std::thread thread_;  // last
};

}  // namespace chirp::lmdb
