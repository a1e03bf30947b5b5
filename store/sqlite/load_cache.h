// The settings of a connection while it loads users. The destructor restores the old ones.
//
// - Indexes may be written in random order, so 32 MiB of pages stay in memory.
// - Pages move from the log to the file at 32 MiB, once in a few transactions. A concurrent
//   sign-up copies such a log quickly.
// - A statement that inserts many rows keeps changed pages, to undo them if a value is taken.
//   SQLite would write all of these to a temporary file, several times the size of the rows.
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
      // The load's settings remain, which is harmless.
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
