#include "store/lmdb/load_lock.h"

#include <cerrno>
#include <unistd.h>

#include <fmt/format.h>

#include "store/files.h"
#include "store/layout.h"

namespace chirp::lmdb {

std::optional<store::LockFile> try_load_lock(const std::filesystem::path& place) {
  const auto path = store::Layout(place).load_lock();
  auto lock = store::LockFile::try_lock(path, store::LockFile::Kind::kExclusive);
  if (!lock) return lock;
  if (::ftruncate(lock->file().fd(), 0) != 0) store::throw_errno("Writing", path, errno);
  store::write_all(lock->file(), fmt::format("pid {}\n", ::getpid()), path);
  return lock;
}

}  // namespace chirp::lmdb
