#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/build_folder.h"
#include "store/data_directory.h"
#include "store/disk_reserve.h"
#include "store/files.h"
#include "store/manifest.h"
#include "store/own_files.h"
#include "store/parts.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

// The target of a restore. Nothing can be renamed onto a mount point.
struct RestoreTarget {
  bool is_taken = false;
  bool is_mount_point = false;
};

bool is_mount_point(const fs::path& path) {
  struct statx facts {};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, 0, &facts) != 0) return false;
  return (facts.stx_attributes_mask & facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

// Recognizes even a damaged data directory; refuses to replace anything else.
RestoreTarget place_at(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  RestoreTarget place;
  if (!fs::exists(status)) return place;
  place.is_mount_point = is_mount_point(path);
  fs::directory_iterator at(path, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (place.is_mount_point && name == "lost+found") continue;
    place.is_taken = true;
    if (is_ours(name)) continue;
    throw Error(ErrorCode::kConflict,
                fmt::format("{} is not chirp's, and restoring would remove it. Move it away first.",
                            at->path().string()));
  }
  if (error) throw_errno("Reading", path, error.value());
  return place;
}

Copied copy_verified(const fs::path& backup, const Manifest& manifest, const Layout& to) {
  make_folder(to.engine());
  Copied copied;
  for (const auto& [file, expected] : manifest.files) {
    std::error_code error;
    if (!fs::is_regular_file(backup / file, error)) {
      throw Error(ErrorCode::kCorrupt, fmt::format("{} is not complete: {} is missing. Choose "
                                                   "another backup.",
                                                   backup.string(), file));
    }
    make_folders((to.root / file).parent_path());
    if (copy_hashed(backup / file, to.root / file) != expected) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("{} is damaged: it is not what was backed up. Choose another backup.",
                              (backup / file).string()));
    }
    copied.files += 1;
    copied.bytes += expected.bytes;
  }
  return copied;
}

}  // namespace

LockFile lock_alone(const Layout& layout, std::string_view doing) {
  if (auto lock = LockFile::try_lock(layout.open_lock(), LockFile::Kind::kExclusive)) {
    return std::move(*lock);
  }
  throw Error(ErrorCode::kUnavailable,
              fmt::format("{} needs {} for itself, and another process has it open. Stop that "
                          "one first.",
                          doing, layout.root.string()));
}

namespace {

// Builds a data directory in `layout` and opens all its parts once, which checks them.
Copied build_from(const fs::path& backup, const Manifest& manifest, const Layout& layout) {
  Copied copied = copy_verified(backup, manifest, layout);
  lay_out(layout, manifest.identity);
  migrate_parts(layout, manifest.identity);  // a backup may have an older format
  if (const auto opened = DataDirectory::open(layout.root); !opened->users().problems().empty()) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("The users of {} are damaged: {}. Choose another "
                            "backup.",
                            backup.string(), opened->users().problems().front()));
  }
  return copied;
}

// The folder inside a mount point where a restore builds. It stays once parts have been moved.
class RestoreFolder {
 public:
  // The record of an interrupted restore stays until a restore completes it.
  explicit RestoreFolder(const Layout& target)
      : target_(target),
        keep_(!fs::exists(target.root / kFormatFile) && fs::exists(target.restored_from())) {
    if (!keep_) remove_tree(target.restoring());
    make_own_folder(target.restoring());
    for (const fs::path& part : parts_of(target.restoring())) remove_tree(part);
  }
  ~RestoreFolder() {
    if (!keep_) remove_tree(target_.restoring());
  }
  RestoreFolder(const RestoreFolder&) = delete;
  RestoreFolder& operator=(const RestoreFolder&) = delete;

  // Replaces the existing parts one by one. chirp.format is removed first and moved last. The
  // backup's name is recorded before, so that a half-restored directory says how to complete it.
  void move_into_place(const fs::path& backup) {
    const Layout built(target_.restoring());
    give_tree(built.root, target_.root);
    sync_tree(built.root);
    const fs::path next = target_.restored_from().string() + ".tmp";
    ::unlink(next.c_str());
    write_new_file(next, fs::absolute(backup).string());
    move_file(next, target_.restored_from());
    sync_folder(built.root);
    keep_ = true;
    remove_old();
    for (const fs::path& part : parts_of(built.root)) {
      if (part.filename() != kFormatFile) move_file(part, target_.root / part.filename());
    }
    sync_folder(target_.root);
    move_file(built.root / kFormatFile, target_.root / kFormatFile);
    sync_folder(target_.root);
    keep_ = false;
  }

 private:
  // Returns the parts to move. The lock for exclusive use stays in place.
  std::vector<fs::path> parts_of(const fs::path& folder) const {
    std::vector<fs::path> parts;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const fs::path name = entry.path().filename();
      const bool stays = name == target_.open_lock().filename() || name == "from" ||
                         name == target_.restoring().filename() || !is_ours(name.string());
      if (!stays) parts.push_back(entry.path());
    }
    return parts;
  }

  void remove_old() const {
    ::unlink((target_.root / kFormatFile).c_str());
    sync_folder(target_.root);
    for (const fs::path& part : parts_of(target_.root)) {
      remove_tree(part);
      std::error_code gone;
      if (fs::exists(fs::symlink_status(part, gone))) {
        throw Error(
            ErrorCode::kIo,
            fmt::format("{} could not be removed. Remove it, and run the same `chirp restore` "
                        "again: {} is half restored.",
                        part.string(), target_.root.string()));
      }
    }
  }

  const Layout& target_;
  bool keep_;  // the directory is half restored
};

Copied restore_into(const fs::path& backup, const Manifest& manifest, const Layout& target) {
  RestoreFolder folder(target);
  Copied copied = build_from(backup, manifest, Layout(target.restoring()));
  folder.move_into_place(backup);
  return copied;
}

}  // namespace

Copied restore_backup(const fs::path& backup, const fs::path& path) {
  const Manifest manifest = read_manifest(backup);
  const Layout target(plain_path(path));
  const RestoreTarget place = place_at(target.root);
  std::uint64_t bytes = 0;
  for (const auto& [file, expected] : manifest.files) bytes += expected.bytes;
  check_room_for("Restoring", target.root, bytes, reserve_from_environment());
  std::optional<LockFile> alone;
  if (place.is_taken) alone = lock_alone(target, "Restoring");
  if (place.is_mount_point) return restore_into(backup, manifest, target);

  BuildFolder build(target.root);
  Copied copied = build_from(backup, manifest, Layout(build.path()));
  if (place.is_taken) {
    copied.left_over = build.replace();
  } else {
    build.put_in_place();
  }
  return copied;
}

}  // namespace chirp::store
