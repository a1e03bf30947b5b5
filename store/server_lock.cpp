#include "store/server_lock.h"

#include <cerrno>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::store {
namespace {

constexpr std::size_t kFileMax = 512;

// The boot and the namespace within which a process number is unique.
std::string place() {
  std::string boot;
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::getline(in, boot);
  struct stat facts {};
  const bool known = ::stat("/proc/self/ns/pid", &facts) == 0;
  return fmt::format("boot {}\npid-namespace {}\n", boot, known ? facts.st_ino : 0);
}

void write_owner(const LockFile& lock, const std::filesystem::path& path) {
  if (::ftruncate(lock.file().fd(), 0) != 0) throw_errno("Writing", path, errno);
  write_all(lock.file(), fmt::format("pid {}\n{}", ::getpid(), place()), path);
}

[[noreturn]] void refuse(const Layout& layout) {
  const std::string text = read_small_file(layout.server_lock(), kFileMax);
  const auto line_end = text.find('\n');
  const std::string owner = text.substr(0, line_end);
  const bool here = line_end != std::string::npos && text.substr(line_end + 1) == place();
  throw Error(ErrorCode::kConflict,
              fmt::format("{} is already served by {}{}. Stop it first, or serve another "
                          "directory with --data.",
                          layout.root.string(), owner.empty() ? "another process" : owner,
                          here || owner.empty() ? "" : " (counted in another container)"));
}

}  // namespace

LockFile lock_as_server(const Layout& layout) {
  auto lock = LockFile::try_lock(layout.server_lock(), LockFile::Kind::kExclusive);
  if (!lock) refuse(layout);
  write_owner(*lock, layout.server_lock());
  return std::move(*lock);
}

}  // namespace chirp::store
