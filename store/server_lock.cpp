#include "store/server_lock.h"

#include <cerrno>
#include <charconv>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::store {
namespace {

constexpr std::size_t kFileMax = 512;
constexpr std::string_view kPid = "pid ";
constexpr std::string_view kAddress = "address ";

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
  write_all(lock.file(), fmt::format("{}{}\n{}", kPid, ::getpid(), place()), path);
}

// The lines of the file: the process, where its number is valid, and its address.
struct LockOwner {
  std::string process;  // "pid 4711"; empty if not written yet
  bool is_here = false;
  std::string address;
};

LockOwner owner_in(const Layout& layout) {
  const std::string text = read_small_file(layout.server_lock(), kFileMax);
  const auto line_end = text.find('\n');
  if (line_end == std::string::npos) return {};
  LockOwner owner;
  owner.process = text.substr(0, line_end);
  owner.is_here = std::string_view(text).substr(line_end + 1).starts_with(place());
  const auto address = text.find("\n" + std::string(kAddress));
  if (address != std::string::npos) {
    const auto begin = address + 1 + kAddress.size();
    owner.address = text.substr(begin, text.find('\n', begin) - begin);
  }
  return owner;
}

[[noreturn]] void refuse(const Layout& layout) {
  const LockOwner owner = owner_in(layout);
  const bool known = !owner.process.empty();
  throw Error(ErrorCode::kConflict,
              fmt::format("{} is already served by {}{}. Stop it first, or serve another "
                          "directory with --data.",
                          layout.root.string(), known ? owner.process : "another process",
                          owner.is_here || !known ? "" : " (counted in another container)"));
}

}  // namespace

LockFile lock_as_server(const Layout& layout) {
  auto lock = LockFile::try_lock(layout.server_lock(), LockFile::Kind::kExclusive);
  if (!lock) refuse(layout);
  write_owner(*lock, layout.server_lock());
  return std::move(*lock);
}

void note_address(const LockFile& lock, const Layout& layout, std::string_view address) {
  write_all(lock.file(), fmt::format("{}{}\n", kAddress, address), layout.server_lock());
}

std::optional<ProcessStatus> server_of(const Layout& layout) {
  if (!LockFile::is_held(layout.server_lock())) return std::nullopt;
  const LockOwner owner = [&] {
    try {
      return owner_in(layout);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kReadOnly) throw;
      return LockOwner{};  // the file belongs to another user
    }
  }();
  ProcessStatus server;
  server.address = owner.address;
  if (owner.process.starts_with(kPid)) {
    const char* const begin = owner.process.data() + kPid.size();
    std::from_chars(begin, owner.process.data() + owner.process.size(), server.pid);
  }
  return server;
}

}  // namespace chirp::store
