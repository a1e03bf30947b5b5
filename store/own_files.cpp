#include "store/own_files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwn = 0600;
constexpr mode_t kReadByOthers = 0044;
constexpr mode_t kOthers = 0077;
constexpr mode_t kGroup = 0070;
constexpr mode_t kModes = 07777;
constexpr uid_t kSameUser = static_cast<uid_t>(-1);

struct OpenFolder {
  File file;
  struct stat facts {};
};

struct stat facts_of(const File& file, const fs::path& path) {
  struct stat facts {};
  if (::fstat(file.fd(), &facts) != 0) throw_errno("Opening", path, errno);
  return facts;
}

[[noreturn]] void refuse_link(const fs::path& path) {
  throw Error(ErrorCode::kIo,
              fmt::format("{} is a link. chirp does not write through links in a data directory. "
                          "Put the file or folder itself in its place.",
                          path.string()));
}

// Follows a link in place of a folder only if this user made it: it leads only to places that the
// user could write anyway.
OpenFolder open_folder(const fs::path& given) {
  const fs::path path = given.empty() ? fs::path(".") : given;
  constexpr int kFlags = O_PATH | O_DIRECTORY;
  File file = File::try_open(path, kFlags | O_NOFOLLOW);
  if (!file) {
    const int error = errno;
    struct stat link {};
    if (::lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) {
      throw_errno("Opening", path, error);
    }
    if (link.st_uid != ::geteuid()) refuse_link(path);
    file = File::try_open(path, kFlags);
    if (!file) throw_errno("Opening", path, errno);
  }
  const struct stat facts = facts_of(file, path);
  return {std::move(file), facts};
}

void check_kind(const struct stat& facts, const fs::path& path) {
  if (S_ISLNK(facts.st_mode)) refuse_link(path);
  if (!S_ISREG(facts.st_mode)) throw_irregular(path);
}

// A file whose owner is not the folder's may be a hard link to a file elsewhere, put here to get it
// overwritten. A file of this user with one name is what root's maintenance left.
void check_owner(const OpenFolder& folder, const struct stat& facts, const fs::path& path) {
  if (facts.st_uid == folder.facts.st_uid) return;
  if (facts.st_uid == ::geteuid() && facts.st_nlink == 1) return;
  throw Error(ErrorCode::kReadOnly,
              fmt::format("{} belongs to user {}, and the folder that it is in to user {}. Give it "
                          "to that user with chown, or remove it if it is a lock file.",
                          path.string(), facts.st_uid, folder.facts.st_uid));
}

// Gives files that root makes, or has made, to the folder's owner and group.
void hand_over(const OpenFolder& folder, const struct stat& facts, int fd, const fs::path& path) {
  if (::geteuid() != 0 || facts.st_uid == folder.facts.st_uid) return;
  if (::fchownat(fd, "", folder.facts.st_uid, folder.facts.st_gid, AT_EMPTY_PATH) != 0 &&
      errno != EROFS) {
    throw_errno("Changing the owner of", path, errno);
  }
}

// Also works with a descriptor opened with O_PATH. If nothing can be changed, as on a read-only
// medium, other users can't block the file either.
void lock_out_others(const struct stat& facts, int fd) {
  const bool may = ::geteuid() == 0 || ::geteuid() == facts.st_uid;
  if ((facts.st_mode & kOthers) == 0 || !may) return;
  (void)::chmod(fmt::format("/proc/self/fd/{}", fd).c_str(), kOwn);
}

// Lets users who may read the folder read the file; the group only if the file has the folder's.
void show_as(const OpenFolder& folder, const File& file, const fs::path& path) {
  mode_t shown = folder.facts.st_mode & kReadByOthers;
  if (shown == 0) return;
  const struct stat facts = facts_of(file, path);
  const bool same_group = facts.st_gid == folder.facts.st_gid ||
                          ::fchown(file.fd(), kSameUser, folder.facts.st_gid) == 0;
  if (!same_group) shown &= ~kGroup;
  if (::fchmod(file.fd(), kOwn | shown) != 0) throw_errno("Making", path, errno);
}

}  // namespace

File open_own(const fs::path& path, int flags, FileUse use) {
  const OpenFolder folder = open_folder(path.parent_path());
  const fs::path name = path.filename();
  const bool may_make = (flags & O_CREAT) != 0;
  const int open_flags = (flags & ~(O_CREAT | O_EXCL)) | O_NOFOLLOW;
  for (;;) {
    if ((flags & O_EXCL) == 0) {
      File file = File::try_open_at(folder.file.fd(), name, open_flags);
      if (file) {
        const struct stat facts = facts_of(file, path);
        check_kind(facts, path);
        check_owner(folder, facts, path);
        hand_over(folder, facts, file.fd(), path);
        if (use == FileUse::kLock) lock_out_others(facts, file.fd());
        return file;
      }
      if (errno == ELOOP) refuse_link(path);
      if (errno != ENOENT || !may_make) throw_errno(may_make ? "Making" : "Opening", path, errno);
    }
    File file = File::try_open_at(folder.file.fd(), name, open_flags | O_CREAT | O_EXCL);
    if (file) {
      hand_over(folder, facts_of(file, path), file.fd(), path);
      if (use == FileUse::kData) show_as(folder, file, path);
      return file;
    }
    if (errno != EEXIST || (flags & O_EXCL) != 0) throw_errno("Making", path, errno);
    // Another process has made it meanwhile, or the name is a dangling link.
  }
}

void write_new_file(const fs::path& path, std::string_view text) {
  const File file = open_own(path, O_WRONLY | O_CREAT | O_EXCL, FileUse::kData);
  write_all(file, text, path);
  sync(file, path);
}

void settle_own(const fs::path& path, FileUse use) {
  const OpenFolder folder = open_folder(path.parent_path());
  const File file = File::try_open_at(folder.file.fd(), path.filename(), O_PATH | O_NOFOLLOW);
  if (!file && errno == ENOENT) return;
  if (!file) throw_errno("Opening", path, errno);
  const struct stat facts = facts_of(file, path);
  check_kind(facts, path);
  check_owner(folder, facts, path);
  hand_over(folder, facts, file.fd(), path);
  if (use == FileUse::kLock) lock_out_others(facts, file.fd());
}

void check_named(int fd, const fs::path& path) {
  struct stat opened {};
  struct stat named {};
  if (::fstat(fd, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
      opened.st_dev == named.st_dev && opened.st_ino == named.st_ino) {
    return;
  }
  throw Error(ErrorCode::kIo,
              fmt::format("{} was replaced while it was opened. See who else changes files there, "
                          "and try again.",
                          path.string()));
}

void make_own_folder(const fs::path& path) {
  const OpenFolder folder = open_folder(path.parent_path());
  const fs::path name = path.filename();
  if (::mkdirat(folder.file.fd(), name.c_str(), 0700) != 0) {
    if (errno == EEXIST) return;
    throw_errno("Making", path, errno);
  }
  const File made = File::try_open_at(folder.file.fd(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!made) throw_errno("Making", path, errno);
  hand_over(folder, facts_of(made, path), made.fd(), path);
}

void take_place(const fs::path& from, const fs::path& to) {
  struct stat before {};
  if (::lstat(to.c_str(), &before) == 0 && S_ISREG(before.st_mode)) {
    const File file = File::open(from, O_RDONLY | O_NOFOLLOW);
    const struct stat facts = facts_of(file, from);
    const bool others = facts.st_uid != before.st_uid || facts.st_gid != before.st_gid;
    const bool given = !others || ::fchown(file.fd(), before.st_uid, before.st_gid) == 0;
    if (!given && ::geteuid() == 0) throw_errno("Changing the owner of", from, errno);
    const mode_t mode = before.st_mode & kModes & (given ? kModes : ~kOthers);
    if (::fchmod(file.fd(), mode) != 0) throw_errno("Making", from, errno);
  }
  move_file(from, to);
}

namespace {

// Changes the folder last: until then, other users can't change its content.
void give_below(const OpenFolder& folder, const struct stat& to, const fs::path& path) {
  const File listed = File::try_open_at(folder.file.fd(), ".", O_RDONLY | O_DIRECTORY);
  if (!listed) throw_errno("Opening", path, errno);
  std::error_code error;
  const fs::path here = fmt::format("/proc/self/fd/{}", listed.fd());
  for (fs::directory_iterator at(here, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const fs::path name = at->path().filename();
    OpenFolder entry{File::try_open_at(folder.file.fd(), name, O_PATH | O_NOFOLLOW), {}};
    if (!entry.file) throw_errno("Opening", path / name, errno);
    entry.facts = facts_of(entry.file, path / name);
    if (entry.facts.st_uid != 0) continue;
    if (S_ISDIR(entry.facts.st_mode)) {
      give_below(entry, to, path / name);
    } else if (::fchownat(entry.file.fd(), "", to.st_uid, to.st_gid, AT_EMPTY_PATH) != 0) {
      throw_errno("Changing the owner of", path / name, errno);
    }
  }
  if (error) throw_errno("Reading", path, error.value());
  if (::fchownat(folder.file.fd(), "", to.st_uid, to.st_gid, AT_EMPTY_PATH) != 0) {
    throw_errno("Changing the owner of", path, errno);
  }
}

}  // namespace

void give_tree(const fs::path& folder, const fs::path& like) {
  struct stat owner {};
  if (::geteuid() != 0 || ::stat(like.c_str(), &owner) != 0 || owner.st_uid == 0) return;
  const OpenFolder opened = open_folder(folder);
  if (opened.facts.st_uid == 0) give_below(opened, owner, folder);
}

}  // namespace chirp::store
