// SQLite's way to the file system, with two of its traps covered.
#pragma once

#include <functional>

namespace chirp::sqlite {

// The name of it, to open files with. Registered at the first call; safe to call from any thread.
//
// The index of the log is a file that SQLite maps into memory and writes through the map. It gives
// it a byte a page, so that on a full disk with smaller blocks the first touch of the rest would be
// a SIGBUS. Here every page has its blocks before it is handed out, or there is no room for it.
// And SQLite waits for about ten seconds for who stands still with the log's locks; here it is half
// of that, as for any other lock (limits::kBusyMs).
[[nodiscard]] const char* file_system();

// While it lives, `look` is called whenever this thread is about to give back the writers' turn of
// a log: what it has written is in the index by then, and nobody else has written yet. One at a
// time in a thread.
class BeforeTurnEnds {
 public:
  explicit BeforeTurnEnds(std::function<void()> look);
  ~BeforeTurnEnds();
  BeforeTurnEnds(const BeforeTurnEnds&) = delete;
  BeforeTurnEnds& operator=(const BeforeTurnEnds&) = delete;
};

}  // namespace chirp::sqlite
