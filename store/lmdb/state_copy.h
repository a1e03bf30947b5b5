// Copies one state of data.mdb for processes that can't use LMDB's locks. Readers normally register
// their state in the lock file; without that, writers reuse their pages.
//
// So the copy is verified afterwards. Let T be the newest state when copying began. A writer uses
// new pages, or free pages of transactions older than the last state but one: LMDB 0.9 requires
// each row X of the free list to be below the oldest reader, which is at most the last state, so
// the writer of T+1 takes rows up to T-1. The pages of row X were last used in state X-1. So the
// writer of T+1 leaves state T-1 intact, and that of T+2 leaves T intact. The writer of T+3, which
// begins when T+2 is committed, is the first to overwrite pages of T. If the newest state is still
// T or T+1 after copying, the copy has every byte that T uses. The meta page of T must also be
// unchanged: it may be read while half written, and a commit that fails at its last write reverts
// it.
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
  // Whether the copy so far is complete and of the noted state.
  [[nodiscard]] bool is_whole() const;

 private:
  std::filesystem::path file_;
  store::File data_;
  Metas metas_;
};

// Copies the newest state of `file` to `to`. Throws Error{kUnavailable} if writers are too fast for
// that until the deadline, and what StateCopy throws.
void copy_state(const std::filesystem::path& file, const std::filesystem::path& to,
                const store::Deadline& deadline);

// Whether this process can use the locks of the store in `folder`.
[[nodiscard]] bool can_lock(const std::filesystem::path& folder);

}  // namespace chirp::lmdb
