#include "store/private_folder.h"

#include <cstdlib>
#include <string>
#include <sys/statvfs.h>

#include <fmt/format.h>

#include "core/error.h"
#include "store/files.h"

namespace chirp::store {
namespace {

bool has_room(const char* folder, std::uint64_t bytes) {
  struct statvfs facts {};
  return ::statvfs(folder, &facts) == 0 && std::uint64_t{facts.f_bavail} * facts.f_frsize >= bytes;
}

}  // namespace

PrivateFolder::PrivateFolder(std::uint64_t bytes) {
  const char* wanted = std::getenv("TMPDIR");
  for (const char* folder : {wanted, "/tmp", "/dev/shm"}) {
    if (folder == nullptr || *folder == '\0' || !has_room(folder, bytes)) continue;
    std::string name = std::string(folder) + "/chirp.XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) continue;
    path_ = name;
    return;
  }
  throw Error(
      ErrorCode::kStorageFull,
      fmt::format("There is no room for a copy of {} bytes to read from. Name a folder that "
                  "has room in TMPDIR.",
                  bytes));
}

PrivateFolder::~PrivateFolder() { remove_tree(path_); }

}  // namespace chirp::store
