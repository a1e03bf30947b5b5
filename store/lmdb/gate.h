// The gate at LMDB's lock file: whoever opens the environment, or takes a slot for a reader, passes
// it, one at a time. LMDB takes locks of its own there that it waits for without end, so somebody
// who stands still in the middle of that must be waited for here, with a deadline.
#pragma once

#include <filesystem>
#include <mutex>

#include "store/deadline.h"
#include "store/files.h"

namespace chirp::lmdb {

class Gate {
 public:
  // Opens the lock file, makes it where it is missing, and gives it its blocks: on a full disk the
  // first touch of a hole in a mapped file is a SIGBUS. Throws Error{kStorageFull}, {kReadOnly},
  // {kIo}. Stays open as long as LMDB has the file open: closing it ends LMDB's locks.
  explicit Gate(const std::filesystem::path& lock_file);

  // The lock file.
  [[nodiscard]] int fd() const { return file_.fd(); }

  // The way through, while this lives.
  class Pass {
   public:
    // Throws Error{kUnavailable} if it is not free by the deadline.
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
  std::timed_mutex threads_;  // the lock of a file is one for all threads
};

}  // namespace chirp::lmdb
