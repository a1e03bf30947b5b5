#include "store/sqlite/private_copy.h"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/files.h"
#include "store/sqlite/errors.h"

namespace chirp::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 20;

bool same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec &&
         a.st_ctim.tv_sec == b.st_ctim.tv_sec && a.st_ctim.tv_nsec == b.st_ctim.tv_nsec;
}

// Whether any later change will change the file's time. The kernel's clock for files moves every
// few milliseconds, and some file systems store whole seconds.
bool at_rest(const struct stat& facts) {
  timespec now{};
  if (::clock_gettime(CLOCK_REALTIME_COARSE, &now) != 0) return false;
  const timespec& changed = facts.st_ctim;
  if (changed.tv_nsec == 0) return now.tv_sec != changed.tv_sec;
  return now.tv_sec != changed.tv_sec || now.tv_nsec != changed.tv_nsec;
}

// Returns a descriptor that stays open: closing it would release SQLite's locks on that file in
// this process. There is one per file ever copied.
int lasting(const fs::path& file) {
  static std::mutex mutex;
  static std::map<std::pair<dev_t, ino_t>, store::File> open;
  struct stat facts {};
  const std::lock_guard guard(mutex);
  if (::stat(file.c_str(), &facts) == 0) {
    if (const auto found = open.find({facts.st_dev, facts.st_ino}); found != open.end()) {
      return found->second.fd();
    }
  }
  store::File opened = store::File::open(file, O_RDONLY);
  if (::fstat(opened.fd(), &facts) != 0) store::throw_errno("Reading", file, errno);
  return open.try_emplace({facts.st_dev, facts.st_ino}, std::move(opened)).first->second.fd();
}

void copy(int from, const fs::path& name, const fs::path& to) {
  const store::File file = store::File::open(to, O_WRONLY | O_CREAT | O_TRUNC);
  std::vector<char> block(kBlock);
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(from, block.data(), block.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) store::throw_errno("Reading", name, errno);
    if (got == 0) return;
    store::write_all(file, {block.data(), static_cast<std::size_t>(got)}, to);
    at += got;
  }
}

}  // namespace

PrivateCopy::PrivateCopy(fs::path file, const fs::path& folder, const store::Deadline& deadline)
    : file_(std::move(file)), log_(file_.string() + "-wal"), copy_(folder / file_.filename()) {
  for (;;) {
    taken_ = look();
    if (taken_[0].st_ino == 0) throw corrupt("it is missing", file_);
    if (at_rest(taken_[0]) && at_rest(taken_[1])) {
      take(taken_);
      if (is_current()) return;
    }
    if (deadline.over()) {
      throw Error(ErrorCode::kUnavailable,
                  fmt::format("{} is being written, and what may only be read can't be locked. Try "
                              "again, or have its owner run `chirp backup`.",
                              file_.string()));
    }
    std::this_thread::sleep_for(kLookAgain);
  }
}

PrivateCopy::Look PrivateCopy::look() const {
  Look look{};
  if (::stat(file_.c_str(), &look[0]) != 0) look[0] = {};
  if (::stat(log_.c_str(), &look[1]) != 0) look[1] = {};
  return look;
}

// Copies the file first: a log that is emptied meanwhile is noticed in any case.
void PrivateCopy::take(const Look& before) const {
  copy(lasting(file_), file_, copy_);
  const fs::path log = copy_.string() + "-wal";
  ::unlink(log.c_str());
  if (before[1].st_size == 0) return;
  // A log is never locked, so closing it is harmless.
  if (const store::File file = store::File::try_open(log_, O_RDONLY)) copy(file.fd(), log_, log);
}

bool PrivateCopy::is_current() const {
  const Look now = look();
  return same(now[0], taken_[0]) && same(now[1], taken_[1]);
}

std::uint64_t bytes_to_copy(const fs::path& file) {
  std::uint64_t bytes = 0;
  for (const fs::path& part : {file, fs::path(file.string() + "-wal")}) {
    std::error_code missing;
    const auto size = fs::file_size(part, missing);
    if (!missing) bytes += size;
  }
  return bytes;
}

}  // namespace chirp::sqlite
