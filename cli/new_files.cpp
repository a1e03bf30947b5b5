#include "cli/new_files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "cli/descriptor.h"
#include "cli/output.h"
#include "core/error.h"

namespace chirp::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kGather = std::size_t{256} << 10;

Error failure(const fs::path& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  const bool locked = error == EROFS || error == EACCES || error == EPERM;
  return Error(full     ? ErrorCode::kStorageFull
               : locked ? ErrorCode::kReadOnly
                        : ErrorCode::kIo,
               fmt::format("{} can't be written: {}.", safe(path.string()), std::strerror(error)));
}

fs::path parent_of(const fs::path& path) {
  const fs::path parent = path.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

void sync_directory(const fs::path& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open() || ::fsync(folder.get()) != 0) throw failure(path, errno);
}

// Trailing slashes would make a parent of the directory itself.
fs::path without_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

void make_private_folder(const fs::path& path) {
  if (::mkdir(path.c_str(), 0700) != 0) throw failure(path, errno);
}

NewDirectory::NewDirectory(fs::path path) : path_(without_slash(path)) {
  std::error_code error;
  const bool there = fs::exists(fs::symlink_status(path_, error));
  if (there && !(fs::is_directory(path_, error) && fs::is_empty(path_, error))) {
    throw Error(
        ErrorCode::kConflict,
        fmt::format("There is something at {} already. Name a directory that is not there yet.",
                    safe(path_.string())));
  }
  temporary_ = path_;
  temporary_ += fmt::format(".tmp.{}", ::getpid());
  make_private_folder(temporary_);
}

NewDirectory::~NewDirectory() {
  std::error_code ignored;
  if (!committed_) fs::remove_all(temporary_, ignored);
}

void NewDirectory::commit() {
  sync_directory(temporary_);
  for (const auto& entry : fs::directory_iterator(temporary_)) {
    if (entry.is_directory()) sync_directory(entry.path());
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw failure(path_, errno);
  committed_ = true;
  sync_directory(parent_of(path_));
}

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
