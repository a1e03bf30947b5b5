// SQLite's way to the file system, with two of its traps covered.
#pragma once

namespace chirp::sqlite {

// The name of it, to open files with. Registered at the first call; safe to call from any thread.
//
// The index of the log is a file that SQLite maps into memory and writes through the map. It gives
// it a byte a page, so that on a full disk with smaller blocks the first touch of the rest would be
// a SIGBUS. Here every page has its blocks before it is handed out, or there is no room for it.
// And SQLite waits for about ten seconds for who stands still with the log's locks; here it is half
// of that, as for any other lock (limits::kBusyMs).
[[nodiscard]] const char* file_system();

}  // namespace chirp::sqlite
