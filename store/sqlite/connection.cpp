#include "store/sqlite/connection.h"

#include <chrono>
#include <fcntl.h>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "core/error.h"
#include "core/limits.h"
#include "store/files.h"
#include "store/own_files.h"
#include "store/private_folder.h"
#include "store/sqlite/errors.h"
#include "store/sqlite/vfs.h"

namespace chirp::sqlite {
namespace {

namespace fs = std::filesystem;

std::string_view argument(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

// No exception may cross SQLite's frames.
template <class Call>
void guarded(sqlite3_context* context, Call&& call) {
  try {
    call();
  } catch (const std::exception& error) {
    sqlite3_result_error(context, error.what(), -1);
  }
}

template <class Function>
Function function_of(sqlite3_context* context) {
  return *static_cast<Function*>(sqlite3_user_data(context));
}

template <class Function>
void forget(void* function) {
  delete static_cast<Function*>(function);
}

// A waiting writer retries often: SQLite's own handler sleeps longer and longer, and would miss the
// pauses of a process that writes again and again.
constexpr auto kAskAgain = std::chrono::microseconds(250);
constexpr auto kBusy = std::chrono::milliseconds(limits::kBusyMs);

constexpr int kIndexPartBytes = 32'768;  // of the log's index, as mapped by SQLite

constexpr int kPure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;

}  // namespace

// ---- the connection

void Connection::Close::operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }

void Connection::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
  sqlite3_finalize(statement);
}

Connection::Connection(const fs::path& file) : file_(file) {
  std::error_code ignored;
  if (!fs::exists(file_, ignored) && !ignored) {
    throw corrupt("it is missing", file_);
  }
  settle();
  try {
    make_index();
    open(file_);
    check_opened();
  } catch (const Error& error) {
    // Reading needs two small files next to this one, which may be impossible to create.
    const bool no_files = error.code() == ErrorCode::kReadOnly || error.code() == ErrorCode::kIo ||
                          error.code() == ErrorCode::kStorageFull;
    if (!no_files) throw;
    if (error.code() == ErrorCode::kStorageFull) no_room_ = error;
    kept_.clear();
    handle_.reset();
    const store::PrivateFolder folder(bytes_to_copy(file_));
    open_copy({file_, folder.path(), store::Deadline(store::machine_clock(), kBusy)});
  }
}

Connection::Connection(const fs::path& file, const PrivateCopy& copy) : file_(file) {
  open_copy(copy);
}

Connection::Connection(const fs::path& file, Made /*just now*/) : file_(file) { open(file); }

// Applies the rules for files of a data directory (store/own_files.h): SQLite opens by path.
void Connection::settle() const {
  for (const char* part : {"", "-wal", "-journal"}) {
    store::settle_own(file_.string() + part, store::FileUse::kData);
  }
  store::settle_own(file_.string() + "-shm", store::FileUse::kLock);
}

// SQLite would give its WAL index the mode of the database file, so readers could lock the index.
// Closing a file that was just made releases no lock of this process.
void Connection::make_index() const {
  const fs::path index = file_.string() + "-shm";
  std::error_code unknown;
  if (fs::exists(fs::symlink_status(index, unknown))) return;
  try {
    (void)store::open_own(index, O_RDWR | O_CREAT | O_EXCL, store::FileUse::kLock);
  } catch (const Error&) {
    // The file exists, or can't be created; then SQLite reports why.
  }
}

void Connection::check_opened() const {
  int moved = 0;
  sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved != 0) throw corrupt("it was replaced while it was opened", file_);
  settle();
}

void Connection::open(const fs::path& file) {
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(
      fs::absolute(file).c_str(), &raw,
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READWRITE, file_system());
  handle_.reset(raw);
  if (code != SQLITE_OK) fail(code);
  // With exclusive access, the log's index is in memory and needs no file.
  if (is_copy_) execute("PRAGMA locking_mode=EXCLUSIVE");
  configure();
  const bool writable = !is_copy_ && sqlite3_db_readonly(handle_.get(), "main") == 0;
  access_ = writable ? FileAccess::kReadWrite : FileAccess::kReadOnly;
}

// A copy ends with its connection, so writes to it would be lost.
void Connection::open_copy(const PrivateCopy& copy) {
  is_copy_ = true;
  open(copy.path());
  execute("PRAGMA query_only=ON");
}

void Connection::configure() {
  sqlite3* const handle = handle_.get();
  wait_when_busy();
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // A connection that only reads leaves the log to writers, so that closing it delays no one.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  execute("PRAGMA foreign_keys=ON");
  execute("PRAGMA synchronous=FULL");
  execute("PRAGMA mmap_size=0");
  execute("PRAGMA cell_size_check=ON");
  (void)pragma("schema_version");  // the first access to the file
}

void Connection::expect_safety() {
  expect_pragma("synchronous", "2");
  expect_pragma("foreign_keys", "1");
  if (access_ == FileAccess::kReadOnly) return;
  if (pragma("journal_mode") != "wal") execute("PRAGMA journal_mode=WAL");
  expect_pragma("journal_mode", "wal");
}

void Connection::expect_pragma(const std::string& name, std::string_view value) {
  const std::string found = pragma(name);
  if (found == value) return;
  throw Error(ErrorCode::kIo,
              fmt::format("{}: SQLite refuses {}={} and stays at \"{}\", so that nothing written "
                          "would be safe. Use a local file system.",
                          file_.string(), name, value, found));
}

std::string Connection::pragma(const std::string& name) {
  const StatementHandle statement = prepare("PRAGMA " + name, 0);
  const int code = sqlite3_step(statement.get());
  if (code == SQLITE_DONE) return {};
  if (code != SQLITE_ROW) fail(code);
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), 0));
  return text == nullptr ? std::string() : std::string(text);
}

Connection::StatementHandle Connection::prepare(std::string_view sql, unsigned flags) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      flags, &raw, nullptr);
  StatementHandle statement(raw);
  if (code != SQLITE_OK) fail(code);
  return statement;
}

sqlite3_stmt* Connection::kept(std::string_view sql) {
  auto found = kept_.find(sql);
  if (found == kept_.end()) {
    found = kept_.emplace(sql, prepare(sql, SQLITE_PREPARE_PERSISTENT)).first;
  }
  sqlite3_stmt* const statement = found->second.get();
  check(sqlite3_stmt_busy(statement) == 0, "a statement runs once at a time");
  return statement;
}

void Connection::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Connection::last_row_number() const {
  return sqlite3_last_insert_rowid(handle_.get());
}

std::int64_t Connection::changed() const { return sqlite3_changes64(handle_.get()); }

void Connection::refuse_write() const {
  if (no_room_) throw *no_room_;
  fail(SQLITE_READONLY);
}

void Connection::wait_when_busy() {
  const auto wait = [](void* connection, int times) -> int {
    std::int64_t& since = static_cast<Connection*>(connection)->busy_since_ns_;
    const std::int64_t now = store::machine_clock().steady_ns();
    if (times == 0) since = now;
    if (std::chrono::nanoseconds(now - since) >= kBusy) return 0;
    std::this_thread::sleep_for(kAskAgain);
    return 1;
  };
  sqlite3_busy_handler(handle_.get(), wait, this);
}

void Connection::never_wait() { sqlite3_busy_handler(handle_.get(), nullptr, nullptr); }

void Connection::note_write() {
  if (wrote_) return;
  wrote_ = true;
  sqlite3_db_config(handle_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
}

const void* Connection::log_index() {
  // A copy's index is in this process's memory.
  if (is_copy_ || pragma("journal_mode") != "wal") return nullptr;
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) {
    return nullptr;
  }
  void volatile* at = nullptr;
  (void)file->pMethods->xShmMap(file, 0, kIndexPartBytes, 0, &at);
  return const_cast<void*>(at);
}

void Connection::admit(SpaceUse use, std::uint64_t bytes) const {
  if (reserve_ == nullptr || use == SpaceUse::kNothing) return;
  reserve_->admit(use, store::DiskReserve::Into::kFiles, bytes);
}

void Connection::try_checkpoint() {
  if (reserve_ != nullptr &&
      reserve_->refusal(SpaceUse::kKeeps, store::DiskReserve::Into::kFiles)) {
    return;  // the file may grow by the size of the log
  }
  never_wait();
  const int code = sqlite3_wal_checkpoint_v2(handle_.get(), nullptr, SQLITE_CHECKPOINT_TRUNCATE,
                                             nullptr, nullptr);
  wait_when_busy();
  // On a full disk, committed data stay committed: they are in the log until the next checkpoint.
  const int primary = code & 0xff;
  if (primary != SQLITE_OK && primary != SQLITE_BUSY && primary != SQLITE_LOCKED &&
      primary != SQLITE_FULL) {
    fail(code);
  }
}

void Connection::define(const char* name, TextFunction function) {
  const auto call = [](sqlite3_context* context, int, sqlite3_value** values) {
    guarded(context, [&] {
      if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
      const std::string result = function_of<TextFunction>(context)(argument(values[0]));
      sqlite3_result_text64(context, result.data(), result.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    });
  };
  const int code =
      sqlite3_create_function_v2(handle_.get(), name, 1, kPure, new TextFunction(function), call,
                                 nullptr, nullptr, &forget<TextFunction>);
  if (code != SQLITE_OK) fail(code);
}

void Connection::define(const char* name, TextPredicate predicate) {
  const auto call = [](sqlite3_context* context, int, sqlite3_value** values) {
    guarded(context, [&] {
      const auto holds = function_of<TextPredicate>(context);
      sqlite3_result_int(context, holds(argument(values[0]), argument(values[1])) ? 1 : 0);
    });
  };
  const int code =
      sqlite3_create_function_v2(handle_.get(), name, 2, kPure, new TextPredicate(predicate), call,
                                 nullptr, nullptr, &forget<TextPredicate>);
  if (code != SQLITE_OK) fail(code);
}

void Connection::fail(int code) const { throw error_for(handle_.get(), code, file_); }

// ---- transactions

Transaction::Transaction(Connection& connection, Wait wait)
    : Transaction(connection, SpaceUse::kKeeps, wait) {}

Transaction::Transaction(Connection& connection, SpaceUse use, Wait wait)
    : connection_(connection) {
  if (connection_.access() == FileAccess::kReadOnly) connection_.refuse_write();
  connection_.admit(use);
  if (connection_.watch() != nullptr) connection_.watch()->before_write();
  if (wait == Wait::kNever) connection_.never_wait();
  try {
    connection_.run("BEGIN IMMEDIATE");
  } catch (...) {
    connection_.wait_when_busy();
    throw;
  }
  connection_.wait_when_busy();
  connection_.note_write();
}

Transaction::~Transaction() {
  // After some errors SQLite has already rolled back; then there is nothing to do.
  if (open_) {
    sqlite3_exec(connection_.handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() {
  connection_.run("COMMIT");
  open_ = false;
  if (connection_.watch() != nullptr) connection_.watch()->after_write();
}

}  // namespace chirp::sqlite
