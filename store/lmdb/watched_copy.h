// Looks after a file that LMDB copies itself into: LMDB says nothing until it is through.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>

#include "store/watched.h"

namespace chirp::lmdb {

// While it lives, a thread tells `watched` how long the file is, and has the disk take in what is
// written. If `watched` throws, writes to the file fail from then on.
class WatchedCopy {
 public:
  // `fd` is open for writing as long as this lives. `bytes` is about what the file will have.
  WatchedCopy(int fd, std::uint64_t bytes, const store::Watched& watched);
  WatchedCopy(const WatchedCopy&) = delete;
  WatchedCopy& operator=(const WatchedCopy&) = delete;
  ~WatchedCopy();

  // Ends the looking. Throws what `watched` has thrown.
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
