#include "cli/input/byte_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {

std::string_view PeekStream::peek(std::size_t size) {
  ahead_.erase(0, taken_);
  taken_ = 0;
  while (ahead_.size() < size) {
    const std::size_t had = ahead_.size();
    ahead_.resize(size);
    const std::size_t got = inner_.read(std::span(ahead_).subspan(had));
    ahead_.resize(had + got);
    if (got == 0) break;
  }
  return std::string_view(ahead_).substr(0, size);
}

std::size_t PeekStream::read(std::span<char> into) {
  if (taken_ == ahead_.size()) return inner_.read(into);
  const std::size_t size = std::min(into.size(), ahead_.size() - taken_);
  std::copy_n(ahead_.begin() + static_cast<std::ptrdiff_t>(taken_), size, into.begin());
  taken_ += size;
  return size;
}

namespace {

// Names of descriptors that are open already, such as a shell's `<(…)`.
bool names_descriptor(std::string_view path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

[[noreturn]] void fail(const std::string& name, const char* what, int code) {
  throw Error(ErrorCode::kBadInput, fmt::format("{} {}: {}", what, name, std::strerror(code)));
}

}  // namespace

RawFile::RawFile(const std::string& path, Kind kind)
    : name_(path == "-" ? "stdin" : printable(path, 4096)) {
  const bool any = kind == Kind::kAny;
  if (path == "-") {
    fd_ = STDIN_FILENO;
  } else {
    // Opening a pipe without a writer must not block.
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd_ < 0) fail(name_, "can't open", errno);
    owned_ = true;
  }
  struct stat facts {};
  if (::fstat(fd_, &facts) != 0 || S_ISDIR(facts.st_mode)) {
    const int code = S_ISDIR(facts.st_mode) ? EISDIR : errno;
    if (owned_) ::close(fd_);
    fail(name_, "can't read", code);
  }
  if (!any && !S_ISREG(facts.st_mode)) {
    if (owned_) ::close(fd_);
    throw Error(ErrorCode::kBadInput,
                fmt::format("can't read {}: it is not a regular file", name_));
  }
  if (S_ISFIFO(facts.st_mode) && owned_ && !names_descriptor(path)) {
    ::close(fd_);
    throw Error(ErrorCode::kBadInput,
                fmt::format("can't read {}: it is a pipe, and waiting for a writer could take "
                            "forever. Name `-` and pipe into that",
                            name_));
  }
  if (owned_) (void)::fcntl(fd_, F_SETFL, O_RDONLY);  // reads block again
  if (S_ISREG(facts.st_mode)) {
    size_ = static_cast<std::uint64_t>(facts.st_size);
    (void)::posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);  // only advice: a failure is harmless
  }
}

RawFile::~RawFile() {
  if (owned_) ::close(fd_);
}

std::size_t RawFile::read(std::span<char> into) {
  for (;;) {
    const ssize_t got = ::read(fd_, into.data(), into.size());
    if (got >= 0) {
      read_.fetch_add(static_cast<std::uint64_t>(got), std::memory_order_relaxed);
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) fail(name_, "can't read", errno);
  }
}

std::int64_t RawFile::seek(std::int64_t offset, int whence) { return ::lseek(fd_, offset, whence); }

std::string RawFile::look(std::uint64_t offset, std::size_t most) const {
  std::string bytes(most, '\0');
  std::size_t had = 0;
  while (had < most) {
    const ssize_t got =
        ::pread(fd_, bytes.data() + had, most - had, static_cast<off_t>(offset + had));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name_, "can't read", errno);
    if (got == 0) break;
    had += static_cast<std::size_t>(got);
  }
  bytes.resize(had);
  return bytes;
}

}  // namespace chirp::cli::input
