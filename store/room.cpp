#include "store/room.h"

#include <algorithm>
#include <cerrno>
#include <sys/resource.h>
#include <sys/statvfs.h>

#include <fmt/format.h>

namespace chirp::store {
namespace {

// Whether the file system has free bytes but no free inode.
bool lacks_inodes(const std::filesystem::path& where) {
  std::error_code unknown;
  const bool is_folder = std::filesystem::is_directory(where, unknown);
  const std::filesystem::path folder = is_folder ? where : where.parent_path();
  struct statvfs facts {};
  if (::statvfs(folder.empty() ? "." : folder.c_str(), &facts) != 0) return false;
  return facts.f_files > 0 && facts.f_favail == 0 && facts.f_bavail > 0;
}

}  // namespace

std::optional<DiskSpace> disk_at(const std::filesystem::path& path) {
  struct statvfs facts {};
  for (std::filesystem::path at = path;; at = at.parent_path()) {
    const std::filesystem::path folder = at.empty() ? "." : at;
    if (::statvfs(folder.c_str(), &facts) == 0) break;
    if (errno != ENOENT || at.empty() || at == at.root_path()) return std::nullopt;
  }
  const std::uint64_t block = facts.f_frsize;
  return DiskSpace{facts.f_bavail * block, facts.f_blocks * block};
}

bool is_no_room(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

std::string room_advice(int error, const std::filesystem::path& where) {
  if (error == EFBIG) {
    return "A file may not become so large: raise the limit of the process (ulimit -f), or use a "
           "file system that takes larger files.";
  }
  if (error == EDQUOT) return "The quota of disk space is used up: free some space, or raise it.";
  if (!where.empty() && lacks_inodes(where)) {
    return "The file system has room for bytes, but not for another file (no inodes are left): "
           "remove some files.";
  }
  return "The disk is full: free some space.";
}

std::string limit_advice(int error) {
  // More than any command needs.
  constexpr rlim_t kFiles = 1024;
  constexpr rlim_t kAddressKiB = 4 << 20;
  constexpr rlim_t kKiB = 1024;
  rlimit most{};
  if (error == EMFILE && ::getrlimit(RLIMIT_NOFILE, &most) == 0) {
    return fmt::format("The limit of open files (`ulimit -n {}`) is reached. Allow `ulimit -n {}`.",
                       most.rlim_cur, std::max(kFiles, most.rlim_cur * 2));
  }
  if (error == ENOMEM && ::getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY) {
    const rlim_t now = most.rlim_cur / kKiB;
    return fmt::format(
        "The limit of address space (`ulimit -v {}`) is too low. Allow `ulimit -v {}`, or `ulimit "
        "-v unlimited`.",
        now, std::max(kAddressKiB, now * 2));
  }
  return {};
}

}  // namespace chirp::store
