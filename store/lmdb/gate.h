// A lock in LMDB's lock file. A thread that opens the environment or takes a reader slot holds it.
// LMDB's own locks there have no timeout, so a process that hangs while it holds them must be
// waited for here, with a deadline.
#pragma once

#include <filesystem>
#include <mutex>

#include "store/deadline.h"
#include "store/files.h"

namespace chirp::lmdb {

class Gate {
 public:
  // Opens or creates the lock file and allocates its blocks: on a full disk the first access to a
  // hole in a mapped file is a SIGBUS. Throws Error{kStorageFull}, {kReadOnly}, {kIo}. Keep it open
  // as long as LMDB has the file open: closing it releases LMDB's locks.
  explicit Gate(const std::filesystem::path& lock_file);

  [[nodiscard]] int fd() const { return file_.fd(); }

  // Holds the gate while it lives.
  class Pass {
   public:
    // Throws Error{kUnavailable} if the gate is not free by the deadline.
    Pass(Gate& gate, const store::Deadline& deadline);
    ~Pass();
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    Gate& gate_;
    std::unique_lock<std::timed_mutex> own_;
  };

 private:
  std::filesystem::path path_;
  store::File file_;
  std::timed_mutex threads_;  // all threads share the file's lock
};

}  // namespace chirp::lmdb
