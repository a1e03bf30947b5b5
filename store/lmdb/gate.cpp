#include "store/lmdb/gate.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>

#include <fmt/format.h>

#include "core/error.h"
#include "store/own_files.h"
#include "store/room.h"

namespace chirp::lmdb {
namespace {

constexpr off_t kLockFileBytes = 128 << 10;
constexpr auto kAskAgain = std::chrono::microseconds(250);

// Bytes of the lock file. LMDB locks the first one and those at the offsets of process numbers.
constexpr off_t kOpeningByte = 0;
constexpr off_t kGate = off_t{1} << 40;

bool ask(int fd, int how, off_t byte, short& type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  const bool done = ::fcntl(fd, how, &lock) == 0;
  type = lock.l_type;
  return done;
}

bool try_pass(int fd, const std::filesystem::path& path) {
  short type = F_WRLCK;
  if (ask(fd, F_OFD_SETLK, kGate, type)) return true;
  if (errno == EAGAIN || errno == EACCES || errno == EINTR) return false;
  throw Error(ErrorCode::kIo,
              fmt::format("{} can't be locked: {}.", path.string(), std::strerror(errno)));
}

// Other LMDB programs do not use the gate.
bool somebody_opens(int fd) {
  short type = F_RDLCK;
  return ask(fd, F_OFD_GETLK, kOpeningByte, type) && type != F_UNLCK;
}

void leave(int fd) {
  short type = F_UNLCK;
  ask(fd, F_OFD_SETLK, kGate, type);
}

}  // namespace

Gate::Gate(const std::filesystem::path& lock_file)
    : path_(lock_file), file_(store::open_own(lock_file, O_RDWR | O_CREAT, store::FileUse::kLock)) {
  struct stat facts {};
  if (::fstat(file_.fd(), &facts) == 0 && facts.st_size >= kLockFileBytes) return;
  if (::posix_fallocate(file_.fd(), 0, kLockFileBytes) == ENOSPC) {
    throw Error(ErrorCode::kStorageFull, fmt::format("{} can't be made: {}", path_.string(),
                                                     store::room_advice(ENOSPC, path_)));
  }
}

Gate::Pass::Pass(Gate& gate, const store::Deadline& deadline)
    : gate_(gate), own_(gate.threads_, deadline.left()) {
  const int fd = gate_.file_.fd();
  while (own_.owns_lock()) {
    if (try_pass(fd, gate_.path_)) {
      if (!somebody_opens(fd)) return;
      leave(fd);
    }
    if (deadline.over()) break;
    std::this_thread::sleep_for(kAskAgain);
  }
  throw Error(ErrorCode::kUnavailable,
              "Another process hangs while it opens this data directory. Try again.");
}

Gate::Pass::~Pass() { leave(gate_.file_.fd()); }

}  // namespace chirp::lmdb
