// What a connection does otherwise while it loads users. The old settings come back at the end.
//
// - Indexes may be written in no order of theirs, so 32 MiB of pages stay in memory.
// - Pages go from the log into the file when it has 32 MiB, so once for a few transactions. A
//   sign-up beside the load copies such a log in little time.
// - A statement that inserts many rows keeps the pages it changes, to undo them if a row is taken.
//   SQLite would write all of these to a temporary file, several times what the rows have.
#pragma once

#include <string>

#include "core/error.h"
#include "store/sqlite/connection.h"

namespace chirp::sqlite {

class LoadCache {
 public:
  explicit LoadCache(Connection& connection)
      : connection_(connection),
        cache_(connection.pragma("cache_size")),
        log_(connection.pragma("wal_autocheckpoint")),
        temporary_(connection.pragma("temp_store")) {
    connection_.execute("PRAGMA cache_size=-32768");
    connection_.execute("PRAGMA wal_autocheckpoint=8192");
    connection_.execute("PRAGMA temp_store=MEMORY");
  }
  ~LoadCache() {
    try {
      connection_.execute("PRAGMA cache_size=" + cache_);
      connection_.execute("PRAGMA wal_autocheckpoint=" + log_);
      connection_.execute("PRAGMA temp_store=" + temporary_);
    } catch (const Error&) {
      // They stay as they are, which is no harm.
    }
  }
  LoadCache(const LoadCache&) = delete;
  LoadCache& operator=(const LoadCache&) = delete;

 private:
  Connection& connection_;
  std::string cache_;
  std::string log_;
  std::string temporary_;
};

}  // namespace chirp::sqlite
