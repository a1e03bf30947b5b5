#include "store/media_files.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/checked_file.h"
#include "store/files.h"
#include "store/own_files.h"
#include "store/secrets.h"

namespace chirp::store {
namespace {

constexpr const char* kBegun = "begun.tmp";  // one at a time: the writer holds the turn

// Opens without waiting, even if the path is not a regular file.
File open_there(const std::filesystem::path& path) {
  File file = File::try_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (file) return file;
  if (errno != ENOENT && errno != ELOOP) throw_errno("Reading", path, errno);
  throw Error(
      ErrorCode::kCorrupt,
      fmt::format("{} is missing. Run `chirp doctor`, or restore a backup.", path.string()));
}

}  // namespace

LockFile MediaFiles::turn() const {
  if (::access(folder_.parent_path().c_str(), W_OK) != 0) {
    throw_errno("Writing", folder_, errno);
  }
  auto lock = LockFile::lock(folder_.parent_path() / "media.lock", LockFile::Kind::kExclusive);
  if (lock) return std::move(*lock);
  throw Error(ErrorCode::kUnavailable,
              fmt::format("Another process is at work in {}. Try again.", folder_.string()));
}

std::optional<LockFile> MediaFiles::try_turn() const {
  return LockFile::try_lock(folder_.parent_path() / "media.lock", LockFile::Kind::kExclusive);
}

std::filesystem::path MediaFiles::path_of(const std::string& hash) const { return folder_ / hash; }

namespace {

bool has_two_names(const std::filesystem::path& begun) {
  struct stat facts {};
  return ::lstat(begun.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink > 1;
}

// If the file system has no hard links and a process dies before the row is written, a file remains
// that `chirp doctor --repair` removes.
void name_begun(const std::filesystem::path& begun, const std::filesystem::path& path) {
  ::unlink(path.c_str());  // if it is damaged
  if (::link(begun.c_str(), path.c_str()) != 0) move_file(begun, path);
}

}  // namespace

bool MediaFiles::has_begun() const {
  struct stat facts {};
  return ::lstat((folder_ / kBegun).c_str(), &facts) == 0;
}

std::optional<std::string> MediaFiles::unsettled() const {
  const auto begun = folder_ / kBegun;
  if (!has_two_names(begun)) return std::nullopt;  // not written completely
  return sha256(read_small_file(begun, limits::kMediaBytesMax));
}

void MediaFiles::settle() const { ::unlink((folder_ / kBegun).c_str()); }

void MediaFiles::put(const std::string& hash, std::string_view bytes) const {
  if (is_sound(hash)) return;
  make_own_folder(folder_);
  const auto begun = folder_ / kBegun;
  ::unlink(begun.c_str());  // left by a dead process
  try {
    write_new_file(begun, bytes);
    name_begun(begun, path_of(hash));
    sync_folder(folder_);
  } catch (...) {
    if (!has_two_names(begun)) ::unlink(begun.c_str());
    throw;
  }
}

std::shared_ptr<const MediaFile> MediaFiles::open(const std::string& hash) const {
  return open_checked(open_there(path_of(hash)), hash, path_of(hash));
}

std::string MediaFiles::read(const std::string& hash) const {
  (void)open_there(path_of(hash));
  std::string bytes = read_small_file(path_of(hash), limits::kMediaBytesMax);
  if (sha256(bytes) == hash) return bytes;
  throw_damaged(path_of(hash));
}

bool MediaFiles::is_sound(const std::string& hash) const {
  try {
    (void)read(hash);
    return true;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kCorrupt) return false;
    throw;
  }
}

void MediaFiles::remove(const std::string& hash) const {
  if (::unlink(path_of(hash).c_str()) == 0) return sync_folder(folder_);
  if (errno != ENOENT) throw_errno("Removing", path_of(hash), errno);
}

std::vector<std::string> MediaFiles::names() const {
  std::vector<std::string> names = files_below(folder_);
  std::erase(names, kBegun);  // being written, or removed by the next writer
  return names;
}

}  // namespace chirp::store
