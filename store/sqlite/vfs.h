// SQLite's access to the file system, with two of its problems fixed.
#pragma once

#include <functional>

namespace chirp::sqlite {

// Returns its name, for opening files. Registered at the first call; safe to call from any thread.
//
// SQLite writes the index of its log through a memory map. It allocates one byte per page, so on a
// full disk with smaller blocks the first write to the rest would be a SIGBUS. This VFS allocates
// all blocks of a page first, or reports a full disk. SQLite also waits about ten seconds for a
// process that hangs with the log's locks; here it is half of that, as for any other lock
// (limits::kBusyMs).
[[nodiscard]] const char* file_system();

// While it lives, calls `look` whenever this thread is about to release the writers' turn of a log:
// its writes are in the index by then, and no other process has written yet. One per thread at a
// time.
class BeforeTurnEnds {
 public:
  explicit BeforeTurnEnds(std::function<void()> look);
  ~BeforeTurnEnds();
  BeforeTurnEnds(const BeforeTurnEnds&) = delete;
  BeforeTurnEnds& operator=(const BeforeTurnEnds&) = delete;
};

}  // namespace chirp::sqlite
