#include "store/private_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "store/build_folder.h"
#include "store/files.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "chirp.";
constexpr std::string_view kRandom = "XXXXXX";  // as mkdtemp requires

bool has_room(const char* folder, std::uint64_t bytes) {
  struct statvfs facts {};
  return ::statvfs(folder, &facts) == 0 && std::uint64_t{facts.f_bavail} * facts.f_frsize >= bytes;
}

bool is_own_folder(const fs::path& path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
         facts.st_uid == ::geteuid();
}

// Removes this user's folders whose lock is held by no living process.
void clear_left_over(const fs::path& place, std::string_view prefix) {
  std::error_code error;
  for (fs::directory_iterator at(place, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.size() != prefix.size() + kRandom.size() || !name.starts_with(prefix)) continue;
    const fs::path mark = at->path() / kUnfinished;
    std::error_code missing;
    if (!is_own_folder(at->path()) || !fs::exists(fs::symlink_status(mark, missing))) continue;
    try {
      const auto left = LockFile::try_lock(mark, LockFile::Kind::kExclusive);
      if (left) (void)remove_marked(at->path());
    } catch (const Error&) {
      // It is being removed, or is not one of ours.
    }
  }
}

}  // namespace

PrivateFolder::PrivateFolder(std::uint64_t bytes) {
  const char* wanted = std::getenv("TMPDIR");
  for (const char* folder : {wanted, "/tmp", "/dev/shm"}) {
    if (folder == nullptr || *folder == '\0') continue;
    clear_left_over(folder, kPrefix);
    if (has_room(folder, bytes) && make(folder, kPrefix)) return;
  }
  throw Error(
      ErrorCode::kStorageFull,
      fmt::format("There is no room for a copy of {} bytes to read from. Name a folder that "
                  "has room in TMPDIR.",
                  bytes));
}

PrivateFolder::PrivateFolder(const fs::path& place, std::string_view prefix) {
  clear_left_over(place, prefix);
  if (make(place, prefix)) return;
  throw Error(ErrorCode::kIo, fmt::format("No temporary folder could be made in {}: {}.",
                                          place.string(), std::strerror(errno)));
}

bool PrivateFolder::make(const fs::path& place, std::string_view prefix) {
  for (;;) {
    std::string name = (place / fmt::format("{}{}", prefix, kRandom)).string();
    if (::mkdtemp(name.data()) == nullptr) return false;
    path_ = name;
    try {
      mark_ = LockFile::try_lock(path_ / kUnfinished, LockFile::Kind::kExclusive);
    } catch (const Error&) {
      if (is_own_folder(path_)) {
        const int error = errno;
        remove_tree(path_);
        errno = error;
        return false;
      }
    }
    if (mark_) return true;
    // Another process removed it as a leftover before it was marked.
  }
}

PrivateFolder::~PrivateFolder() {
  if (mark_) (void)remove_marked(path_);
}

}  // namespace chirp::store
