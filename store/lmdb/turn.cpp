#include "store/lmdb/turn.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <thread>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::lmdb {
namespace {

// The lock has no wait with a deadline, so this polls.
constexpr auto kAskAgain = std::chrono::microseconds(250);

// Bytes of the lock file.
constexpr off_t kWriting = 0;
constexpr off_t kNext = 1;

bool set(int fd, off_t byte, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return ::fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

void wait_for(int fd, off_t byte, const store::Deadline& deadline) {
  while (!set(fd, byte, F_WRLCK)) {
    if (errno != EAGAIN && errno != EACCES && errno != EINTR) {
      throw Error(ErrorCode::kIo,
                  fmt::format("The writers' lock can't be taken: {}.", std::strerror(errno)));
    }
    if (deadline.over()) {
      throw Error(ErrorCode::kUnavailable,
                  "Another process is writing to this data directory. Try again.");
    }
    std::this_thread::sleep_for(kAskAgain);
  }
}

// Holds "next" while it lives.
class Next {
 public:
  Next(int fd, const store::Deadline& deadline) : fd_(fd) { wait_for(fd_, kNext, deadline); }
  ~Next() { set(fd_, kNext, F_UNLCK); }
  Next(const Next&) = delete;
  Next& operator=(const Next&) = delete;

 private:
  int fd_;
};

}  // namespace

WriteTurn::WriteTurn(int fd, const store::Deadline& deadline) : fd_(fd) {
  const Next next(fd_, deadline);
  wait_for(fd_, kWriting, deadline);
}

WriteTurn::~WriteTurn() { set(fd_, kWriting, F_UNLCK); }

}  // namespace chirp::lmdb
