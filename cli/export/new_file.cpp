#include "cli/export/new_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/write_all.h"
#include "core/error.h"
#include "store/room.h"

namespace chirp::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kGather = std::size_t{256} << 10;

Error failure(const fs::path& path, int error) {
  const bool full = store::is_no_room(error);
  const bool locked = error == EROFS || error == EACCES || error == EPERM;
  return Error(
      full     ? ErrorCode::kStorageFull
      : locked ? ErrorCode::kReadOnly
               : ErrorCode::kIo,
      fmt::format("{} can't be written: {}.{}{}", safe(path.string()), std::strerror(error),
                  full ? " " : "", full ? store::room_advice(error, path) : ""));
}

}  // namespace

NewFile::NewFile(const fs::path& path)
    : path_(path), fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
  if (fd_ == -1) fail();
}

NewFile::~NewFile() {
  if (fd_ != -1) ::close(fd_);
}

void NewFile::fail() const { throw failure(path_, errno); }

void NewFile::write(std::string_view text) {
  pending_ += text;
  bytes_ += text.size();
  if (pending_.size() >= kGather) flush();
}

void NewFile::flush() {
  if (const int error = write_all(fd_, pending_); error != 0) throw failure(path_, error);
  pending_.clear();
}

std::uint64_t NewFile::finish() {
  flush();
  if (::fsync(fd_) != 0) fail();
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0) fail();
  return bytes_;
}

}  // namespace chirp::cli
