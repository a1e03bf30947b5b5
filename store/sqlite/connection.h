// SQLite with its handles owned, its codes mapped, and the settings that durability rests on.
//
// A connection, its statements and its transactions belong to one thread at a time, and never cross
// a fork.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
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
enum class Access : std::uint8_t { kReadWrite, kReadOnly };

class Connection {
 public:
  // Opens a file that is there. Falls back to reading alone where writing is not possible.
  // Throws Error{kCorrupt} if it is missing or no database, {kIo}, {kUnavailable}.
  explicit Connection(const std::filesystem::path& file);
  // Reads a copy of `file`, which may go when this returns.
  Connection(const std::filesystem::path& file, const PrivateCopy& copy);
  // Makes a file that is not there, for its owner alone; as Connection otherwise.
  [[nodiscard]] static Connection create(const std::filesystem::path& file);
  // Folds the log into the file if this connection has written and is the last one.
  ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Runs a statement, which stays prepared: of use for texts that come again.
  template <class... Values>
  [[nodiscard]] Rows rows(std::string_view sql, const Values&... values) {
    return Rows(*this, kept(sql), values...);
  }
  template <class... Values>
  void run(std::string_view sql, const Values&... values) {
    Rows rows(*this, kept(sql), values...);
    while (rows.next()) {
    }
  }
  template <class... Values>
  [[nodiscard]] bool run_unless_taken(std::string_view sql, const Values&... values) {
    return Rows(*this, kept(sql), values...).run_unless_taken();
  }
  // Runs statements that are not worth keeping.
  void execute(const std::string& sql);
  [[nodiscard]] std::string pragma(const std::string& name);

  // Asserts what durability rests on, by reading it back: the write-ahead log (put in place if it
  // is not), a sync at every commit. Only for a file that is known to be ours. Throws Error{kIo}.
  void expect_safety();

  // Returns the WAL index, which all processes that have the file open map into memory. It lives as
  // long as this connection. Null if there is none.
  [[nodiscard]] const void* log_index();

  // From now on, each write is followed by a check that the directory is still in its place.
  void watch(store::DirectoryWatch* watch) { watch_ = watch; }
  [[nodiscard]] store::DirectoryWatch* watch() const { return watch_; }
  // From now on, writes and checkpoints keep `reserve`, which must outlive this object.
  void keep(store::DiskReserve* reserve) { reserve_ = reserve; }
  // Throws Error{kStorageFull} if such a write may not begin.
  void admit(SpaceUse use, std::uint64_t bytes = 0) const;

  [[nodiscard]] Access access() const { return access_; }
  [[nodiscard]] bool is_copy() const { return is_copy_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] std::int64_t last_row_number() const;
  // Rows that the last statement wrote.
  [[nodiscard]] std::int64_t changed() const;
  // Moves the log into the file unless another connection is reading from it. Does not wait.
  void try_checkpoint();
  // Rewrites the whole file, without free space. What `watched` throws leaves it as it was.
  void rewrite(const store::Watched& watched = {});
  // A consistent copy while others write, as a file that must not exist. Without kSynced it may be
  // lost or damaged with the power, and nobody else's sync waits for it.
  enum class Copy : std::uint8_t { kSynced, kForNow };
  void copy_to(const std::filesystem::path& destination, Copy use = Copy::kSynced);

  // A pure function of texts, for use in views too. The result, or NULL for a NULL.
  using TextFunction = std::string (*)(std::string_view);
  using TextPredicate = bool (*)(std::string_view, std::string_view);
  void define(const char* name, TextFunction function);
  void define(const char* name, TextPredicate predicate);

  // Throws what `code` means. The message names the file, what SQLite says, and what to do.
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
  // Throws why this file is only read.
  [[noreturn]] void refuse_write() const;
  // Asks again for limits::kBusyMs where another holds the lock.
  void wait_when_busy();
  // Asks once from now on.
  void never_wait();
  // From now on, closing moves the log into the file.
  void note_write();

  std::filesystem::path file_;
  Access access_ = Access::kReadWrite;
  std::optional<Error> no_room_;  // why it is only read, if the disk is full
  bool is_copy_ = false;
  bool wrote_ = false;
  store::DirectoryWatch* watch_ = nullptr;
  store::DiskReserve* reserve_ = nullptr;
  std::int64_t busy_since_ns_ = 0;  // of the present wait
  Handle handle_;
  std::unordered_map<std::string, StatementHandle, TextHash, std::equal_to<>>
      kept_;  // closed before the handle
};

// A write transaction, holding the writers' turn from its beginning; undone unless committed.
// Throws Error{kUnavailable} when the turn does not come within limits::kBusyMs, or at once if it
// is not to wait, {kReadOnly}, {kStorageFull} if the disk reserve does not let it begin.
class Transaction {
 public:
  enum class Wait : std::uint8_t { kForTurn, kNever };
  explicit Transaction(Connection& connection, Wait wait = Wait::kForTurn);
  Transaction(Connection& connection, SpaceUse use, Wait wait = Wait::kForTurn);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Durable when it returns. Throws Error{kUnavailable} with field "outcome" if the directory is no
  // longer in its place.
  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

}  // namespace chirp::sqlite
