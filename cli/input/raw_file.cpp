#include "cli/input/raw_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"

namespace chirp::cli::input {
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
