#include "store/lmdb/watched_copy.h"

#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace chirp::lmdb {

namespace {

constexpr std::chrono::milliseconds kLook{50};

std::uint64_t size_of(int fd) {
  struct stat facts {};
  return ::fstat(fd, &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

}  // namespace

WatchedCopy::WatchedCopy(int fd, std::uint64_t bytes, const store::Watched& watched)
    : fd_(fd), bytes_(bytes), watched_(watched) {
  if (watched_) thread_ = std::thread([this] { watch(); });
}

WatchedCopy::~WatchedCopy() {
  over_ = true;
  if (thread_.joinable()) thread_.join();
}

void WatchedCopy::finish() {
  over_ = true;
  if (thread_.joinable()) thread_.join();
  if (thrown_) std::rethrow_exception(thrown_);
}

// A single final fsync would take long, and delay other processes' syncs.
void WatchedCopy::watch() {
  try {
    while (!over_) {
      watched_(size_of(fd_), bytes_);
      ::sync_file_range(fd_, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE);
      std::this_thread::sleep_for(kLook);
    }
  } catch (...) {
    thrown_ = std::current_exception();
    // Replaces the copy's descriptor by a read-only file.
    const int unwritable = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (unwritable >= 0) {
      ::dup3(unwritable, fd_, O_CLOEXEC);
      ::close(unwritable);
    }
  }
}

}  // namespace chirp::lmdb
