#include "store/sqlite/errors.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/room.h"

namespace chirp::sqlite {
namespace {

namespace fs = std::filesystem;

ErrorCode code_of_io(int extended, int system) {
  if (store::is_no_room(system)) return ErrorCode::kStorageFull;
  switch (system) {
    case EROFS:
      return ErrorCode::kReadOnly;
    default:
      break;
  }
  switch (extended) {
    case SQLITE_IOERR_SHORT_READ:
    case SQLITE_IOERR_CORRUPTFS:
    case SQLITE_IOERR_DATA:
      return ErrorCode::kCorrupt;
    default:
      return ErrorCode::kIo;
  }
}

// The statements are ours, so an SQL error means that the schema is not.
ErrorCode code_of(int extended, int system) {
  switch (extended & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return ErrorCode::kUnavailable;
    case SQLITE_FULL:
      return ErrorCode::kStorageFull;
    case SQLITE_READONLY:
      return ErrorCode::kReadOnly;
    case SQLITE_IOERR:
      return code_of_io(extended, system);
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return code_of_io(SQLITE_OK, system);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_ERROR:
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT:
    case SQLITE_FORMAT:
    case SQLITE_TOOBIG:
      return ErrorCode::kCorrupt;
    default:
      return ErrorCode::kInternal;
  }
}

// `system` is the errno, or 0 if SQLite has none.
std::string advice(ErrorCode code, int system, const fs::path& file) {
  switch (code) {
    case ErrorCode::kUnavailable:
      return "Another process is writing; try again.";
    case ErrorCode::kStorageFull:
      return store::room_advice(system, file);
    case ErrorCode::kReadOnly:
      return "Make it writable, or use another data directory.";
    case ErrorCode::kCorrupt:
      return "Run chirp doctor; a backup can be put back by chirp restore.";
    case ErrorCode::kIo: {
      const std::string limit = store::limit_advice(system);
      return limit.empty() ? "Check the disk and the permissions." : limit;
    }
    default:
      return "This is a fault of chirp's own.";
  }
}

// The bytes are in the log and may survive or not: no later reader can tell either.
bool leaves_open(int extended) {
  return extended == SQLITE_IOERR_FSYNC || extended == SQLITE_IOERR_DIR_FSYNC;
}

}  // namespace

Error error_for(sqlite3* handle, int code, const fs::path& file) {
  const int system = handle == nullptr ? 0 : sqlite3_system_errno(handle);
  const ErrorCode ours = code_of(code, system);
  // The handle describes its last call, which may not be the one that failed.
  const bool last = handle != nullptr && sqlite3_extended_errcode(handle) == code;
  std::string what = last ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
  if (system != 0 && (ours == ErrorCode::kIo || ours == ErrorCode::kStorageFull)) {
    what += fmt::format(", {}", std::strerror(system));
  }
  const std::string_view open =
      leaves_open(code) ? " Whether the change is stored is not known: look before you try again."
                        : "";
  return Error(ours, fmt::format("{}: {} ({}). {}{}", file.string(), what, code,
                                 advice(ours, system, file), open));
}

Error system_error(std::string_view what, int system, const fs::path& file) {
  const ErrorCode ours = code_of_io(SQLITE_OK, system);
  return Error(ours, fmt::format("{} {}: {}. {}", file.string(), what, std::strerror(system),
                                 advice(ours, system, file)));
}

Error corrupt(std::string_view what, const fs::path& file) {
  return Error(ErrorCode::kCorrupt, fmt::format("{}: {}. {}", file.string(), what,
                                                advice(ErrorCode::kCorrupt, 0, file)));
}

}  // namespace chirp::sqlite
