#include "store/lock_file.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <thread>

#include "core/limits.h"
#include "store/deadline.h"
#include "store/own_files.h"

namespace chirp::store {
namespace {

using namespace std::chrono_literals;

// Whether the name still leads to this file: the directory may have been replaced while we waited
// for the lock.
bool still_there(const File& file, const std::filesystem::path& path) {
  struct stat held {};
  struct stat named {};
  return ::fstat(file.fd(), &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

// Whether the system's list of locks names that file, for callers who may not open it. A line is
// `1: OFDLCK ADVISORY  WRITE -1 fd:01:131 0 EOF`, with the inode after the device's two numbers.
bool is_listed(const std::filesystem::path& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) throw_errno("Opening", path, errno);
  const std::string file = ":" + std::to_string(facts.st_ino) + " ";
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    if (line.find(file) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::optional<LockFile> LockFile::try_lock(const std::filesystem::path& path, Kind kind) {
  for (;;) {
    const bool alone = kind == Kind::kExclusive;
    File file = open_own(path, (alone ? O_RDWR : O_RDONLY) | O_CREAT, FileUse::kLock);
    struct flock lock {};
    lock.l_type = alone ? F_WRLCK : F_RDLCK;
    lock.l_whence = SEEK_SET;
    while (::fcntl(file.fd(), F_OFD_SETLK, &lock) != 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EACCES) return std::nullopt;
      throw_errno("Locking", path, errno);
    }
    if (still_there(file, path)) return LockFile(std::move(file));
  }
}

std::optional<LockFile> LockFile::lock(const std::filesystem::path& path, Kind kind) {
  const Deadline deadline(machine_clock(), std::chrono::milliseconds(limits::kBusyMs));
  for (;;) {
    if (auto held = try_lock(path, kind)) return held;
    if (deadline.over()) return std::nullopt;
    std::this_thread::sleep_for(1ms);
  }
}

bool LockFile::is_held(const std::filesystem::path& path) {
  const File file = File::try_open(path, O_RDONLY | O_NOFOLLOW);
  if (!file) {
    if (errno == ENOENT) return false;
    if (errno == EACCES) return is_listed(path);
    throw_errno("Opening", path, errno);
  }
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (::fcntl(file.fd(), F_OFD_GETLK, &lock) != 0) throw_errno("Looking at", path, errno);
  return lock.l_type != F_UNLCK;
}

}  // namespace chirp::store
