#include "store/share.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/build_folder.h"
#include "store/files.h"
#include "store/own_files.h"
#include "store/parts.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kFile = 0600;
constexpr mode_t kFolder = 0700;

mode_t bits_of(FileReaders readers, mode_t group, mode_t others) {
  switch (readers) {
    case FileReaders::kOwner:
      return 0;
    case FileReaders::kGroup:
      return group;
    case FileReaders::kEveryone:
      return group | others;
  }
  return 0;
}

class Sharing {
 public:
  Sharing(const Layout& layout, FileReaders readers) : layout_(layout), readers_(readers) {
    if (::lstat(layout.root.c_str(), &root_) != 0) throw_errno("Opening", layout.root, errno);
    if (::geteuid() == 0 || root_.st_uid == ::geteuid()) return;
    throw Error(ErrorCode::kReadOnly,
                fmt::format("{} belongs to user {}. Only that user, or root, can share it.",
                            layout.root.string(), root_.st_uid));
  }

  // The directory itself is opened to others last and closed first, so they never see an
  // intermediate state.
  void run() {
    if (readers_ == FileReaders::kOwner) folder(layout_.root);
    lock_files();
    file(layout_.root / "chirp.format");
    file(layout_.users());
    file(layout_.users().string() + "-wal");
    file(layout_.engine_data());
    for (const std::string& name : files_below(layout_.media())) file(layout_.media() / name);
    folder(layout_.media());
    folder(layout_.engine());
    if (readers_ != FileReaders::kOwner) folder(layout_.root);
  }

 private:
  void lock_files() {
    for (const fs::path& path :
         {layout_.open_lock(), layout_.write_lock(), layout_.media_lock(), layout_.fan_out_lock(),
          layout_.server_lock(), layout_.engine() / "lock.mdb",
          fs::path(layout_.users().string() + "-shm")}) {
      settle_own(path, FileUse::kLock);
    }
  }

  void file(const fs::path& path) {
    settle_own(path, FileUse::kData);
    set(path, 0, kFile | bits_of(readers_, 0040, 0004));
  }
  void folder(const fs::path& path) {
    set(path, O_DIRECTORY, kFolder | bits_of(readers_, 0050, 0005));
  }

  // Uses a descriptor whose closing releases no lock.
  void set(const fs::path& path, int flags, mode_t mode) {
    const File opened = File::try_open(path, O_PATH | O_NOFOLLOW | flags);
    if (!opened && errno == ENOENT) return;
    if (!opened) throw_errno("Sharing", path, errno);
    const int fd = opened.fd();
    struct stat facts {};
    if (::fstat(fd, &facts) != 0) throw_errno("Sharing", path, errno);
    const bool same_group =
        facts.st_gid == root_.st_gid ||
        ::fchownat(fd, "", static_cast<uid_t>(-1), root_.st_gid, AT_EMPTY_PATH) == 0;
    if (!same_group && readers_ == FileReaders::kGroup) throw_errno("Sharing", path, errno);
    if (::chmod(fmt::format("/proc/self/fd/{}", fd).c_str(), mode) != 0) {
      throw_errno("Sharing", path, errno);
    }
  }

  const Layout& layout_;
  FileReaders readers_;
  struct stat root_ {};
};

}  // namespace

void share_directory(const fs::path& path, FileReaders readers) {
  const Layout layout(plain_path(path));
  (void)identity_at(layout);
  Sharing(layout, readers).run();
}

}  // namespace chirp::store
