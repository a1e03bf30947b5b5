// A data directory: opens it, checks its version, and lends the ports. It is a folder, or a
// database of PostgreSQL; whoever works on it need not know which.
//
//   DIR/chirp.format    "chirp-data-directory <format version>\n<uuid>\n<machine>\n"
//   DIR/users.db        users (SQLite, WAL)
//   DIR/engine/         posts, edges, timelines, the log (LMDB: data.mdb, lock.mdb)
//   DIR/media/          files named by content hash
//   DIR/open.lock       shared by whoever has the directory open; exclusive for restore, compact
//                       and migrate
//   DIR/write.lock      the writers' turn
//   DIR/fanout.lock     elects the one owner of the consumers
//   DIR/server.lock     held by the one server; says which process it is
//
// In a database all of it are tables (store/postgres/schema.h), and locks are PostgreSQL's.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/clock.h"
#include "core/ports/password_hasher.h"
#include "core/ports/storage.h"
#include "core/ports/user_directory.h"
#include "store/copied.h"
#include "store/data_place.h"
#include "store/directory_status.h"
#include "store/format_file.h"
#include "store/watched.h"

namespace chirp::store {

// The version of the tables in a database.
inline constexpr std::uint32_t kDatabaseFormatVersion = 3;

enum class Created : std::uint8_t { kNew, kThere };

// Makes a data directory; harmless where there is one. Throws Error{kInvalidArgument} for a machine
// outside 2 … 1023, {kConflict} if there is one with another machine number and `machine` was
// given, {kIo} or {kReadOnly} if it can't be made; a failed attempt leaves nothing behind.
Created make_data_directory(const std::filesystem::path& path,
                            std::optional<std::uint32_t> machine);
// Over which servers the rows of a database are spread.
struct Spread {
  bool citus = false;                      // over the workers that Citus knows there
  std::optional<std::uint32_t> buckets{};  // in how many shards: a power of two, 16 to 1024
};
// The same for a folder or a database, which must exist and hold nothing else (Error{kConflict}).
// Throws connection errors too (store/postgres/connecting.h), and Error{kInvalidArgument} for
// spreading a folder or a database without Citus.
Created make_data_directory(const DataPlace& place, std::optional<std::uint32_t> machine,
                            const Spread& spread = {});

// Whether there is something at a place: in a database, tables of chirp. Throws what connecting to
// one throws.
[[nodiscard]] bool is_made(const DataPlace& place);

struct StoreBytes {  // in use, in bytes
  std::uint64_t users = 0;
  std::uint64_t engine = 0;
  std::uint64_t media = 0;
};

// One table of a store: what it takes, indexes of SQLite's as tables of their own.
struct TableBytes {
  std::string store;  // "users" or "engine"; in a database "media", too
  std::string table;
  std::uint64_t bytes = 0;
};

// The reader of the engine's store with the oldest state. As long as it holds that, pages can't be
// used again that later commits have set free.
struct OldestReader {
  std::int64_t pid = 0;
  std::string command;  // its command line, as far as it is known
  std::uint64_t transaction = 0;
  std::uint64_t commits_ago = 0;
  std::uint64_t bytes_held = 0;
};

// The use of the engine's memory map and its reader slots.
struct EngineUse {
  std::uint64_t map_bytes_used = 0;
  std::uint64_t map_bytes = 0;
  std::uint64_t readers_used = 0;
  std::uint64_t readers = 0;
  std::optional<OldestReader> oldest = {};  // empty if nobody holds an older state than the newest
};

// The use of a database by this process.
struct DatabaseUse {
  std::uint64_t connections_used = 0;  // that are open
  std::uint64_t connections = 0;       // at most
  std::uint64_t round_trips = 0;       // so far
};

class DataDirectory {
 public:
  // Throws Error{kIo} if there is none ("run chirp init"), {kVersion} for another format version,
  // {kCorrupt} for damage or stores that do not belong together. What is written keeps the disk
  // reserve that `CHIRP_DISK_RESERVE` asks for (store/disk_reserve.h).
  [[nodiscard]] static std::unique_ptr<DataDirectory> open(const std::filesystem::path& path);
  // The same for a folder or a database; throws connection errors too.
  [[nodiscard]] static std::unique_ptr<DataDirectory> open(const DataPlace& place);
  virtual ~DataDirectory() = default;

  [[nodiscard]] virtual Storage& storage() = 0;
  [[nodiscard]] virtual UserDirectory& users() = 0;
  [[nodiscard]] virtual const DataPlace& place() const = 0;
  [[nodiscard]] virtual const std::string& uuid() const = 0;
  [[nodiscard]] virtual std::uint32_t machine() const = 0;
  [[nodiscard]] virtual StoreBytes bytes() const = 0;
  // Returns what `bytes` returns, by table; reads all pages of a folder's users.
  [[nodiscard]] virtual std::vector<TableBytes> table_bytes() const = 0;

  // Fixes users() to the current state, for a read-only caller on one thread. A snapshot taken
  // later has a card, or the mark of a removal, for each user in that state, unless the user is yet
  // to get a card.
  virtual void hold_users() = 0;

  // The right to run the consumers, while it lives; empty if another process has it.
  class ConsumerRight {
   public:
    virtual ~ConsumerRight() = default;
  };
  [[nodiscard]] virtual std::unique_ptr<ConsumerRight> try_consumer_right() = 0;

  // ---- for a server
  // Whether others on the way to a database can read what is said to it.
  [[nodiscard]] virtual bool is_in_the_clear() const = 0;
  // The first are zeros of a database, the second of a folder. Cheap to ask.
  [[nodiscard]] virtual EngineUse engine_use() const { return {}; }
  [[nodiscard]] virtual DatabaseUse database_use() const { return {}; }
  // Returns why a crash may lose acknowledged changes, one sentence per reason. Empty for a folder,
  // and for a database where that is accepted (DatabaseOptions). Throws the database's errors.
  [[nodiscard]] virtual std::vector<std::string> losses() const { return {}; }
  // Returns other warnings about the database's software, one sentence each.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
  // Makes this process the one server of a folder while it lives. Throws Error{kConflict} naming
  // the one there is. A database may have many.
  class ServerRight {
   public:
    virtual ~ServerRight() = default;
    // Says where this process listens, "127.0.0.1:8080", for status(). Throws as throw_errno does.
    virtual void serves_at(std::string_view address) = 0;
  };
  [[nodiscard]] virtual std::unique_ptr<ServerRight> become_server() = 0;
  // Throws Error{kReadOnly}, which says what happened, if a folder was moved, replaced or removed.
  virtual void check_place() {}
  // From now on, UserDirectory::version() works, where it can.
  virtual void tell_user_version() = 0;

  // Limits every later wait for a database to this time, because the process is ending. Safe to
  // call from any thread.
  virtual void hurry(std::chrono::milliseconds /*most*/) {}

  // Returns the directory's state, and the other processes that use it.
  [[nodiscard]] virtual DirectoryStatus status() = 0;

  // A consistent copy into `destination` (which must not exist), while others write: the engine
  // first, then the users, then a manifest. Throws Error{kConflict} if there is something, and
  // {kInvalidArgument} for a database, which PostgreSQL's own programs back up.
  virtual Copied backup(const std::filesystem::path& destination) = 0;
  // Copies the newest state of a folder's engine into `folder`, which is there, and opens the copy
  // for a long reader: once it is copied, the file does not grow because of it. `watched` is told
  // of bytes. Null for a database. Throws {kIo}, {kStorageFull}.
  [[nodiscard]] virtual std::unique_ptr<Storage> copy_engine(
      const std::filesystem::path& /*folder*/, const Watched& /*watched*/) {
    return nullptr;
  }
  // Sets a point of this name in the logs of all servers of a database, between two commits, to
  // which they are restored together. The servers' names. Throws Error{kInvalidArgument} for a
  // folder and for a name that is empty or has more than 63 bytes, {kNotLetIn} for a role that may
  // not (pg_create_restore_point).
  virtual std::vector<std::string> mark(const std::string& name) = 0;
};

// Puts a backup in the place of `path`, whole or not at all. Throws Error{kUnavailable} while
// another process has the directory open, {kCorrupt} for a backup that is not complete.
Copied restore_backup(const std::filesystem::path& backup, const std::filesystem::path& path);

// Rewrites both stores without free space. Throws Error{kUnavailable} while another process has the
// directory open. What `watched` throws ends it between two steps, each of which changes nothing
// that is read.
Copied compact(const std::filesystem::path& path, const Watched& watched = {});

// The result of `migrate`: the directory's previous version, and the changed parts.
struct Migrated {
  std::uint32_t from = kFormatVersion;
  std::vector<std::string> changed;  // of "users", "engine" and "directory"; empty: nothing to do
};

// Whether a directory has an older format; false if it is missing. Throws Error{kCorrupt} for an
// unreadable format file, {kVersion} for a newer format.
[[nodiscard]] bool older_format(const std::filesystem::path& path);
// The format of a directory. Changes nothing, and throws what `migrate` throws before it changes
// anything.
[[nodiscard]] std::uint32_t check_migration(const std::filesystem::path& path);

// Migrates a directory of an older format to kFormatVersion. Each store is migrated in one
// transaction, and chirp.format is written last, so running it again completes it after any crash.
// Throws Error{kUnavailable} while another process has the directory open, {kVersion} for a newer
// one.
Migrated migrate(const std::filesystem::path& path, const Watched& watched = {});

// The same for a database, whose tables store the version of their format last. Throws
// Error{kUnavailable} while another process uses the database.
[[nodiscard]] std::uint32_t check_migration_of_database(const DataPlace& place);
Migrated migrate_database(const DataPlace& place);

// The clock of the machine; `CHIRP_TEST_CLOCK` (a time in ISO 8601) stops it at that time.
[[nodiscard]] std::unique_ptr<Clock> system_clock();
// The same for a server, whose deadlines must pass: only the wall clock is stopped.
[[nodiscard]] std::unique_ptr<Clock> serving_clock();
[[nodiscard]] std::unique_ptr<PasswordHasher> bcrypt_hasher();

}  // namespace chirp::store
