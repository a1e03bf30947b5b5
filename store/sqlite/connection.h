// Owns SQLite handles, converts error codes, and applies the settings that durability needs.
//
// A connection, its statements and its transactions belong to one thread at a time, and never cross
// a fork.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/error.h"
#include "core/ports/storage.h"
#include "store/directory_watch.h"
#include "store/disk_reserve.h"
#include "store/sqlite/private_copy.h"
#include "store/sqlite/rows.h"
#include "store/watched.h"

struct sqlite3;
struct sqlite3_stmt;

namespace chirp::sqlite {

// How a file is open: directly, or read-only. Where SQLite can't keep its locks, a copy is read
// (private_copy.h).
enum class FileAccess : std::uint8_t { kReadWrite, kReadOnly };

class Connection {
 public:
  // Opens an existing file, read-only if it can't be written.
  // Throws Error{kCorrupt} if it is missing or not a database, {kIo}, {kUnavailable}.
  explicit Connection(const std::filesystem::path& file);
  // Opens a copy of `file`, which may be deleted when this returns.
  Connection(const std::filesystem::path& file, const PrivateCopy& copy);
  // Makes a new file with access for its owner only; otherwise like the constructor.
  [[nodiscard]] static Connection create(const std::filesystem::path& file);
  // Moves the log into the file if this connection has written and is the last one.
  ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Runs a statement and keeps it prepared: for texts that are used again.
  [[nodiscard]] Rows rows_of(std::string_view sql, std::span<const users::SqlValue> values) {
    return {*this, kept(sql), values};
  }
  template <class... Values>
  [[nodiscard]] Rows rows(std::string_view sql, const Values&... values) {
    return rows_of(sql, std::array<users::SqlValue, sizeof...(Values)>{users::SqlValue(values)...});
  }
  template <class... Values>
  void run(std::string_view sql, const Values&... values) {
    Rows all = rows(sql, values...);
    while (all.next()) {
    }
  }
  // Runs statements without keeping them.
  void execute(const std::string& sql);
  [[nodiscard]] std::string pragma(const std::string& name);

  // Checks the settings for durability by reading them back: the write-ahead log (which it
  // enables), and a sync at every commit. Only for a file known to be chirp's. Throws Error{kIo}.
  void expect_safety();

  // Returns the WAL index, which all processes with the open file map into memory. It lives as long
  // as this connection. Null without a WAL index.
  [[nodiscard]] const void* log_index();

  // After this, each write is followed by a check that the directory is still in its place.
  void watch(store::DirectoryWatch* watch) { watch_ = watch; }
  [[nodiscard]] store::DirectoryWatch* watch() const { return watch_; }
  // After this, writes and checkpoints respect `reserve`, which must outlive this object.
  void keep(store::DiskReserve* reserve) { reserve_ = reserve; }
  // Throws Error{kStorageFull} if such a write may not begin.
  void admit(SpaceUse use, std::uint64_t bytes = 0) const;

  [[nodiscard]] FileAccess access() const { return access_; }
  [[nodiscard]] bool is_copy() const { return is_copy_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] std::int64_t last_row_number() const;
  // Returns the number of rows that the last statement changed.
  [[nodiscard]] std::int64_t changed() const;
  // Moves the log into the file unless another connection is reading from it. Does not wait.
  void try_checkpoint();
  // Rewrites the whole file without free space. If `watched` throws, the file is unchanged.
  void rewrite(const store::Watched& watched = {});
  // Makes a consistent copy while others write, in a file that must not exist. Without kSynced a
  // power loss may damage the copy, but no other process's sync waits for it.
  enum class Copy : std::uint8_t { kSynced, kForNow };
  void copy_to(const std::filesystem::path& destination, Copy use = Copy::kSynced);

  // A pure function of texts, usable in views. Returns NULL for a NULL.
  using TextFunction = std::string (*)(std::string_view);
  using TextPredicate = bool (*)(std::string_view, std::string_view);
  void define(const char* name, TextFunction function);
  void define(const char* name, TextPredicate predicate);

  // Throws the error for `code`. The message has the file, SQLite's text, and what to do.
  [[noreturn]] void fail(int code) const;

 private:
  friend class Transaction;
  struct Close {
    void operator()(sqlite3* handle) const noexcept;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const noexcept;
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  using Handle = std::unique_ptr<sqlite3, Close>;
  using StatementHandle = std::unique_ptr<sqlite3_stmt, Finalize>;

  struct Made {};
  Connection(const std::filesystem::path& file, Made /*just now*/);
  void open(const std::filesystem::path& file);
  void open_copy(const PrivateCopy& copy);
  void settle() const;
  void make_index() const;
  void check_opened() const;
  void configure();
  [[nodiscard]] sqlite3_stmt* kept(std::string_view sql);
  [[nodiscard]] StatementHandle prepare(std::string_view sql, unsigned flags);
  void expect_pragma(const std::string& name, std::string_view value);
  // Throws the reason why this file is read-only.
  [[noreturn]] void refuse_write() const;
  // Retries for limits::kBusyMs while another connection holds the lock.
  void wait_when_busy();
  // Makes later calls try only once.
  void never_wait();
  // After this, closing moves the log into the file.
  void note_write();

  std::filesystem::path file_;
  FileAccess access_ = FileAccess::kReadWrite;
  std::optional<Error> no_room_;  // why the file is read-only, if the disk is full
  bool is_copy_ = false;
  bool wrote_ = false;
  store::DirectoryWatch* watch_ = nullptr;
  store::DiskReserve* reserve_ = nullptr;
  std::int64_t busy_since_ns_ = 0;  // start of the current wait
  Handle handle_;
  std::unordered_map<std::string, StatementHandle, TextHash, std::equal_to<>>
      kept_;  // closed before the handle
};

// A write transaction, which holds the writers' turn from its beginning; rolled back unless
// committed. Throws Error{kUnavailable} if the turn is not free within limits::kBusyMs (or at once,
// if it must not wait), {kReadOnly}, {kStorageFull} if the disk reserve refuses it.
class Transaction {
 public:
  enum class Wait : std::uint8_t { kForTurn, kNever };
  explicit Transaction(Connection& connection, Wait wait = Wait::kForTurn);
  Transaction(Connection& connection, SpaceUse use, Wait wait = Wait::kForTurn);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Durable on return. Throws Error{kUnavailable} with field "outcome" if the directory is no
  // longer in its place.
  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

}  // namespace chirp::sqlite
