#include "store/sqlite/vfs.h"

#include <cerrno>
#include <cstddef>
#include <mutex>
#include <sys/mman.h>
#include <utility>

#include <sqlite3.h>

#include "core/error.h"
#include "core/limits.h"

namespace chirp::sqlite {
namespace {

// SQLite's own VFS, and its functions for files with locks.
sqlite3_vfs* usual = nullptr;
const sqlite3_io_methods* usual_file = nullptr;
sqlite3_io_methods our_file;

// Called before this thread releases a writers' turn; may be empty.
thread_local std::function<void()> before_turn_ends;

constexpr int kTurn = 0;  // the lock of the writers' turn among a log's locks

constexpr int kTheirWaitMs = 10'000;  // total time that SQLite sleeps before it gives up

int map_shared(sqlite3_file* file, int region, int size, int extend, void volatile** at) {
  const int code = usual_file->xShmMap(file, region, size, extend, at);
  if (code != SQLITE_OK || *at == nullptr) return code;
  // Allocates the blocks as a write would, and reports a full disk instead of ending the process.
  // If the kernel can't do that, or the map is read-only, nothing changes.
  void* const map = const_cast<void*>(*at);
  if (::madvise(map, static_cast<std::size_t>(size), MADV_POPULATE_WRITE) == 0 || errno != EFAULT) {
    return code;
  }
  *at = nullptr;
  return SQLITE_FULL;
}

int lock_shared(sqlite3_file* file, int first, int count, int flags) {
  const bool ends_turn =
      first == kTurn && (flags & SQLITE_SHM_EXCLUSIVE) != 0 && (flags & SQLITE_SHM_UNLOCK) != 0;
  if (ends_turn && before_turn_ends) before_turn_ends();
  return usual_file->xShmLock(file, first, count, flags);
}

int open_file(sqlite3_vfs* /*ours*/, const char* name, sqlite3_file* file, int flags,
              int* out_flags) {
  const int code = usual->xOpen(usual, name, file, flags, out_flags);
  if (code != SQLITE_OK || (flags & SQLITE_OPEN_MAIN_DB) == 0) return code;
  // All database files share these functions, which only an open file can show.
  static std::once_flag once;
  std::call_once(once, [&] {
    usual_file = file->pMethods;
    our_file = *usual_file;
    our_file.xShmMap = map_shared;
    our_file.xShmLock = lock_shared;
  });
  if (file->pMethods == usual_file) file->pMethods = &our_file;
  return code;
}

int sleep_for(sqlite3_vfs* /*ours*/, int microseconds) {
  static_assert(kTheirWaitMs % limits::kBusyMs == 0);
  return usual->xSleep(usual, microseconds / (kTheirWaitMs / limits::kBusyMs));
}

}  // namespace

const char* file_system() {
  static sqlite3_vfs ours;
  static std::once_flag once;
  std::call_once(once, [] {
    usual = sqlite3_vfs_find(nullptr);
    check(usual != nullptr, "SQLite knows the file system");
    ours = *usual;
    ours.zName = "chirp";
    ours.pNext = nullptr;
    ours.xOpen = open_file;
    ours.xSleep = sleep_for;
    check(sqlite3_vfs_register(&ours, 0) == SQLITE_OK, "SQLite takes our file system");
  });
  return ours.zName;
}

BeforeTurnEnds::BeforeTurnEnds(std::function<void()> look) { before_turn_ends = std::move(look); }
BeforeTurnEnds::~BeforeTurnEnds() { before_turn_ends = nullptr; }

}  // namespace chirp::sqlite
