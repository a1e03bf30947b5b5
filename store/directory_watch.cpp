#include "store/directory_watch.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <iterator>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "store/format_file.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

// Names within the directory. A missing lock file blocks no process: the next one makes another.
constexpr const char* kStable[] = {kFormatFile, "engine/data.mdb", "engine/lock.mdb", "users.db",
                                   "media",     "open.lock",       "write.lock"};
// The next process that opens the directory makes these again; they hold no data.
constexpr std::string_view kMadeAgain[] = {"engine/lock.mdb", "open.lock", "write.lock",
                                           "users.db-shm"};
// Removed when the last process that has the file open closes it.
constexpr const char* kWhileOpen[] = {"users.db-wal", "users.db-shm"};

std::optional<FileId> id_of(int status, const struct stat& facts) {
  if (status != 0) return std::nullopt;
  return FileId{facts.st_dev, facts.st_ino};
}

constexpr std::string_view kGone = " (deleted)";

// Returns the current path of an open file, or empty if it has no name any more.
std::string path_of_open(int fd) {
  std::error_code unknown;
  const std::string path = fs::read_symlink(fmt::format("/proc/self/fd/{}", fd), unknown).string();
  return unknown || path.ends_with(kGone) ? std::string() : path;
}

}  // namespace

DirectoryWatch::Looks DirectoryWatch::usual_looks() {
  return {[](int folder, const fs::path& name) {
            struct stat facts {};
            return id_of(::fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW), facts);
          },
          [](int file) {
            struct stat facts {};
            return id_of(::fstat(file, &facts), facts);
          }};
}

DirectoryWatch::DirectoryWatch(const Layout& layout, const fs::path& given, Looks looks)
    : root_(layout.root), looks_(std::move(looks)) {
  note_directory(root_);
  // The final dot makes the system follow a link.
  if (fs::path as_given = fs::absolute(given) / "."; as_given != root_ / ".") {
    given_ = std::move(as_given);
    note_directory(given_);
  }
  for (const char* name : kStable) note(name);
}

void DirectoryWatch::note_directory(const fs::path& name) {
  File folder = File::open(root_, O_PATH | O_DIRECTORY);
  const auto id = looks_.opened(folder.fd());
  if (!id) throw_errno("Opening", root_, errno);
  watched_.push_back({name, std::move(folder), *id});
}

void DirectoryWatch::note(const fs::path& name) {
  File file = File::try_open(root_ / name, O_PATH | O_NOFOLLOW);
  const auto id = file ? looks_.opened(file.fd()) : std::nullopt;
  if (id) watched_.push_back({name, std::move(file), *id});
}

void DirectoryWatch::note_opened(bool users) {
  {
    const std::lock_guard lock(mutex_);
    for (const char* name : kStable) {
      const auto is_noted = [&](const Watched& watched) { return watched.name == name; };
      if (std::none_of(watched_.begin(), watched_.end(), is_noted)) note(name);
    }
    for (const char* name : kWhileOpen) {
      if (users) note(name);
    }
  }
  check();
}

void DirectoryWatch::check() {
  if (const auto fate = look()) throw Error(ErrorCode::kReadOnly, *fate);
}

void DirectoryWatch::before_write() {
  if (lost_) check();
}

void DirectoryWatch::after_write() {
  const auto fate = look();
  if (!fate) return;
  throw Error(ErrorCode::kUnavailable,
              *fate + " The last change was written to the files that this process has open.",
              "outcome");
}

std::optional<std::string> DirectoryWatch::look() {
  const std::lock_guard lock(mutex_);
  for (Watched& watched : watched_) {
    if (holds(watched)) continue;
    lost_ = true;
    return fate_of(watched);
  }
  lost_ = false;
  return std::nullopt;
}

// On some file systems the inode numbers of files change. So a number that differs from the
// recorded one counts only if the open file's number differs from its name's too.
bool DirectoryWatch::holds(Watched& watched) const {
  if (named(watched) == watched.id) return true;
  const auto opened = looks_.opened(watched.file.fd());
  if (!opened || named(watched) != opened) return false;
  watched.id = *opened;
  return true;
}

std::string DirectoryWatch::fate_of(const Watched& watched) const {
  const std::string path = (root_ / watched.name).string();
  const std::string now = path_of_open(watched.file.fd());
  const bool is_taken = named(watched).has_value();
  if (!given_.empty() && watched.name == given_) {
    return fmt::format(
        "{} led to {} when this process opened it, and now leads {}. Stop this process, and start "
        "it again with the directory that it should use.",
        given_.parent_path().string(), root_.string(), is_taken ? "to something else" : "nowhere");
  }
  if (!now.empty() && now != path) {
    return fmt::format(
        "{} was moved to {} while this process had it open{}. Stop this process, and "
        "move it back or use it where it is now.",
        path, now, is_taken ? ", and something else was put in its place" : "");
  }
  if (is_taken) {
    return fmt::format(
        "{} was replaced by something else while this process had it open. Stop this "
        "process, and start it again to use what is there now.",
        path);
  }
  if (std::ranges::find(kMadeAgain, watched.name.string()) != std::end(kMadeAgain)) {
    return fmt::format(
        "{} was removed while this process had it open. Nothing is lost. Stop this process, and "
        "start it again: it makes the file again.",
        path);
  }
  if (watched.name == kFormatFile) {
    return fmt::format(
        "{} was removed while this process had it open. The data is still there. Stop this "
        "process, "
        "restore a backup to another directory with `chirp restore`, and copy the file from there.",
        path);
  }
  return fmt::format(
      "{} was removed while this process had it open. Stop this process, and restore "
      "a backup with `chirp restore`.",
      path);
}

std::optional<FileId> DirectoryWatch::named(const Watched& watched) const {
  return looks_.named(watched_.front().file.fd(), watched.name);
}

}  // namespace chirp::store
