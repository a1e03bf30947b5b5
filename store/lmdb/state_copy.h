// A copy of one state of data.mdb, for who may not take part in LMDB's locking: the lock file is
// where readers say which state they read, so without it writers take its pages from under them.
//
// What is copied is checked instead. Say the newest state was T when the copying began. A writer
// takes for its pages new ones, or pages that the free list has of transactions older than the last
// state but one before it: LMDB 0.9 asks each row X of the list to be below the oldest reader,
// which is at most the last state, so the writer of T+1 takes rows up to T-1. The pages of row X
// were last in use in state X-1. So the writer of T+1 leaves state T-1 whole, that of T+2 leaves T
// whole, and that of T+3, which begins when T+2 is committed, is the first to write over pages of
// T. If the newest state is T or T+1 when all is copied, nobody has, and the copy is T, byte for
// byte of what T uses. The meta page of T must be as it was, too: half of one may be read while it
// is written, and a commit that fails at its last write takes it back.
#pragma once

#include <filesystem>

#include "store/deadline.h"
#include "store/files.h"
#include "store/lmdb/metas.h"

namespace chirp::lmdb {

class StateCopy {
 public:
  // Notes the newest state of `file`. Throws Error{kCorrupt} for damage, {kIo}.
  explicit StateCopy(std::filesystem::path file);

  // Copies the file to `to`, with the metas as they were. Throws {kIo}, {kStorageFull}.
  void copy(const std::filesystem::path& to) const;
  // Whether what has been copied so far is the state that was noted.
  [[nodiscard]] bool is_whole() const;

 private:
  std::filesystem::path file_;
  store::File data_;
  Metas metas_;
};

// Copies the newest state of `file` to `to`. Throws Error{kUnavailable} if writers are too quick
// for that until the deadline, and as StateCopy does.
void copy_state(const std::filesystem::path& file, const std::filesystem::path& to,
                const store::Deadline& deadline);

// Whether this process can take part in the locking of the store in `folder`.
[[nodiscard]] bool can_lock(const std::filesystem::path& folder);

}  // namespace chirp::lmdb
