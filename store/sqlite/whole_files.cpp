// Makes, copies and rewrites whole files of users.
#include <cerrno>
#include <exception>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/error.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/errors.h"

namespace chirp::sqlite {
namespace {

namespace fs = std::filesystem;

void make_file(const fs::path& file) {
  const int fd = ::open(file.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) {
    ::close(fd);
    return;
  }
  const int system = errno;
  if (system == EEXIST) {
    throw Error(ErrorCode::kConflict,
                fmt::format("{} is there already. Nothing was changed.", file.string()));
  }
  throw system_error("can't be made", system, file);
}

void sync_file(const fs::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = fd >= 0 && ::fsync(fd) == 0;
  const int system = errno;
  if (fd >= 0) ::close(fd);
  if (synced) return;
  throw system_error("can't be synced", system, file);
}

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

Connection Connection::create(const fs::path& file) {
  make_file(file);
  return Connection(file, Made{});
}

void Connection::copy_to(const fs::path& destination, Copy use) {
  make_file(destination);
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(fs::absolute(destination).c_str(), &raw,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Handle copy(raw);
  if (opened != SQLITE_OK) throw error_for(raw, opened, destination);
  // the copy is synced once, at the end
  sqlite3_exec(raw, "PRAGMA synchronous=OFF", nullptr, nullptr, nullptr);
  sqlite3_backup* const backup = sqlite3_backup_init(copy.get(), "main", handle_.get(), "main");
  if (backup == nullptr) throw error_for(raw, sqlite3_extended_errcode(raw), destination);
  // One step is one read transaction, so writers continue and the copy never restarts.
  const int stepped = sqlite3_backup_step(backup, -1);
  const int finished = sqlite3_backup_finish(backup);
  if (stepped != SQLITE_DONE) throw error_for(raw, stepped, destination);
  if (finished != SQLITE_OK) throw error_for(raw, finished, destination);
  copy.reset();
  if (use == Copy::kSynced) sync_file(destination);
}

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
