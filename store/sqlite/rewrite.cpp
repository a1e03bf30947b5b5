// Rewrites a users' file, with progress reports, because it may take long.
#include <exception>

#include <sqlite3.h>

#include "store/sqlite/connection.h"

namespace chirp::sqlite {

namespace {

// Calls `watched` between steps of a statement, and ends the statement if it throws.
struct StatementWatch {
  const store::Watched& watched;
  std::exception_ptr thrown;

  static int look(void* self) {
    auto& watch = *static_cast<StatementWatch*>(self);
    try {
      watch.watched(0, 0);
      return 0;
    } catch (...) {
      watch.thrown = std::current_exception();
      return 1;
    }
  }
};

}  // namespace

void Connection::rewrite(const store::Watched& watched) {
  constexpr int kStepsALook = 20'000;  // some milliseconds
  note_write();
  StatementWatch watch{watched, nullptr};
  if (watched) sqlite3_progress_handler(handle_.get(), kStepsALook, &StatementWatch::look, &watch);
  try {
    execute("VACUUM");
  } catch (const Error&) {
    sqlite3_progress_handler(handle_.get(), 0, nullptr, nullptr);
    if (watch.thrown) std::rethrow_exception(watch.thrown);
    throw;
  }
  sqlite3_progress_handler(handle_.get(), 0, nullptr, nullptr);
  try_checkpoint();
}

}  // namespace chirp::sqlite
