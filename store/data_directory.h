// A data directory: opens it, checks its version, and provides the ports. It is a folder, or a
// database of PostgreSQL; callers need not know which.
//
//   DIR/chirp.format    "chirp-data-directory <format version>\n<uuid>\n<machine>\n"
//   DIR/users.db        users (SQLite, WAL)
//   DIR/engine/         posts, edges, timelines, the log (LMDB: data.mdb, lock.mdb)
//   DIR/media/          files named by content hash
//   DIR/open.lock       shared by every process with the directory open; exclusive for restore,
//                       compact and migrate
//   DIR/write.lock      the writers' turn
//   DIR/fanout.lock     elects the one owner of the consumers
//   DIR/server.lock     held by the one server; says which process it is
//
// docs/storage-format.md has the files of loads and uploads as well.
// In a database all of this is in tables (store/postgres/cluster/schema.h), with PostgreSQL's
// locks.
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

// Makes a data directory, or does nothing if it exists. Throws Error{kInvalidArgument} for a
// machine outside 2 … 1023, {kConflict} if the existing one has another machine number and
// `machine` was given, {kIo} or {kReadOnly} if it can't be made. A failed attempt leaves nothing.
Created make_data_directory(const std::filesystem::path& path,
                            std::optional<std::uint32_t> machine);
// How the rows of a database are distributed over servers.
struct Spread {
  bool citus = false;                      // over the workers of Citus
  std::optional<std::uint32_t> buckets{};  // number of shards: a power of two, 16 to 1024
};
// The same for a folder or a database, which must exist and hold nothing else (Error{kConflict}).
// Also throws connection errors (store/postgres/connection/connecting.h), and
// Error{kInvalidArgument} for spreading a folder or a database without Citus.
Created make_data_directory(const DataPlace& place, std::optional<std::uint32_t> machine,
                            const Spread& spread = {});

// Whether there is something at a place; for a database, whether it has chirp's tables. Throws
// connection errors.
[[nodiscard]] bool is_made(const DataPlace& place);

struct StoreBytes {  // in use, in bytes
  std::uint64_t users = 0;
  std::uint64_t engine = 0;
  std::uint64_t media = 0;
};

// The size of one table of a store. SQLite's indexes count as tables.
struct TableBytes {
  std::string store;  // "users" or "engine"; in a database also "media"
  std::string table;
  std::uint64_t bytes = 0;
};

// The reader of the engine's store with the oldest state. It keeps pages that later commits have
// freed from reuse.
struct OldestReader {
  std::int64_t pid = 0;
  std::string command;  // its command line, if known
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
  std::optional<OldestReader> oldest = {};  // empty if all readers hold the newest state
};

// The use of a database by this process.
struct DatabaseUse {
  std::uint64_t connections_used = 0;  // open now
  std::uint64_t connections = 0;       // the limit
  std::uint64_t round_trips = 0;       // so far
};

class DataDirectory {
 public:
  // Throws Error{kIo} if it is missing ("run chirp init"), {kVersion} for another format version,
  // {kCorrupt} for damage or stores that do not belong together. Writes respect the disk reserve of
  // `CHIRP_DISK_RESERVE` (store/disk_reserve.h).
  [[nodiscard]] static std::unique_ptr<DataDirectory> open(const std::filesystem::path& path);
  // The same for a folder or a database; also throws connection errors.
  [[nodiscard]] static std::unique_ptr<DataDirectory> open(const DataPlace& place);
  virtual ~DataDirectory() = default;

  [[nodiscard]] virtual Storage& storage() = 0;
  [[nodiscard]] virtual UserDirectory& users() = 0;
  [[nodiscard]] virtual const DataPlace& place() const = 0;
  [[nodiscard]] virtual const std::string& uuid() const = 0;
  [[nodiscard]] virtual std::uint32_t machine() const = 0;
  [[nodiscard]] virtual StoreBytes bytes() const = 0;
  // Returns the bytes of `bytes`, by table. Reads all pages of a folder's users.
  [[nodiscard]] virtual std::vector<TableBytes> table_bytes() const = 0;

  // Fixes users() to the current state, for a read-only caller on one thread. A snapshot taken
  // later has a card, or a mark of removal, for each user in that state, except users whose card is
  // not made yet.
  virtual void hold_users() = 0;

  // The right to run the consumers, held while it lives; empty if another process has it.
  class ConsumerRight {
   public:
    virtual ~ConsumerRight() = default;
  };
  [[nodiscard]] virtual std::unique_ptr<ConsumerRight> try_consumer_right() = 0;

  // ---- for a server
  // Whether the connection to a database is not encrypted.
  [[nodiscard]] virtual bool is_in_the_clear() const = 0;
  // The first returns zeros for a database, the second for a folder. Both are cheap.
  [[nodiscard]] virtual EngineUse engine_use() const { return {}; }
  [[nodiscard]] virtual DatabaseUse database_use() const { return {}; }
  // Returns why a crash may lose acknowledged changes, one sentence per reason. Empty for a folder,
  // and for a database where that is accepted (DatabaseOptions). Throws the database's errors.
  [[nodiscard]] virtual std::vector<std::string> losses() const { return {}; }
  // Returns other warnings about the database's software, one sentence each.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
  // Makes this process the only server of a folder while it lives. Throws Error{kConflict} that
  // names the existing one. A database may have several.
  class ServerRight {
   public:
    virtual ~ServerRight() = default;
    // Records this process's address, "127.0.0.1:8080", for status(). Throws as throw_errno does.
    virtual void serves_at(std::string_view address) = 0;
  };
  [[nodiscard]] virtual std::unique_ptr<ServerRight> become_server() = 0;
  // Throws Error{kReadOnly} with the reason if a folder was moved, replaced or removed.
  virtual void check_place() {}
  // Enables UserDirectory::version(), if possible.
  virtual void tell_user_version() = 0;

  // Limits every later wait for a database to this time, because the process is ending. Safe to
  // call from any thread.
  virtual void hurry(std::chrono::milliseconds /*most*/) {}

  // Returns the directory's state, and the other processes that use it.
  [[nodiscard]] virtual DirectoryStatus status() = 0;

  // Makes a consistent copy in `destination` (which must not exist) while others write: the engine
  // first, then the users, then a manifest. Throws Error{kConflict} if it exists, and
  // {kInvalidArgument} for a database, which PostgreSQL's own programs back up.
  virtual Copied backup(const std::filesystem::path& destination) = 0;
  // Copies the newest state of a folder's engine into an existing `folder`, and opens the copy for
  // a long reader, which then does not make the engine's file grow. Reports bytes to `watched`.
  // Null for a database. Throws {kIo}, {kStorageFull}.
  [[nodiscard]] virtual std::unique_ptr<Storage> copy_engine(
      const std::filesystem::path& /*folder*/, const Watched& /*watched*/) {
    return nullptr;
  }
  // Creates a restore point of this name in the logs of all servers of a database, between two
  // commits: all can be restored to it together. Returns the servers' names. Throws
  // Error{kInvalidArgument} for a folder and for a name that is empty or longer than 63 bytes,
  // {kNotLetIn} for a role without the right (pg_create_restore_point).
  virtual std::vector<std::string> mark(const std::string& name) = 0;
};

// Replaces `path` with a backup, completely or not at all. Throws Error{kUnavailable} while another
// process has the directory open, {kCorrupt} for an incomplete backup.
Copied restore_backup(const std::filesystem::path& backup, const std::filesystem::path& path);

// Rewrites both stores without free space. Throws Error{kUnavailable} while another process has the
// directory open. If `watched` throws, stops between two steps, with the content unchanged.
Copied compact(const std::filesystem::path& path, const Watched& watched = {});

// The result of `migrate`: the directory's previous version, and the changed parts.
struct Migrated {
  std::uint32_t from = kFormatVersion;
  std::vector<std::string> changed;  // of "users", "engine", "directory"; empty: nothing to do
};

// Whether a directory has an older format; false if it is missing. Throws Error{kCorrupt} for an
// unreadable format file, {kVersion} for a newer format.
[[nodiscard]] bool older_format(const std::filesystem::path& path);
// Returns the format of a directory. Changes nothing, and throws what `migrate` throws before its
// first change.
[[nodiscard]] std::uint32_t check_migration(const std::filesystem::path& path);

// Migrates a directory of an older format to kFormatVersion. Each store is migrated in one
// transaction, and chirp.format is written last, so running it again completes it after any crash.
// Throws Error{kUnavailable} while another process has the directory open, {kVersion} for a newer
// format.
Migrated migrate(const std::filesystem::path& path, const Watched& watched = {});

// The same for a database, whose tables store their format version last. Throws Error{kUnavailable}
// while another process uses the database.
[[nodiscard]] std::uint32_t check_migration_of_database(const DataPlace& place);
Migrated migrate_database(const DataPlace& place);

// The machine's clock; `CHIRP_TEST_CLOCK` (a time in ISO 8601) stops it at that time.
[[nodiscard]] std::unique_ptr<Clock> system_clock();
// The same for a server, whose deadlines must pass: `CHIRP_TEST_CLOCK` stops only the wall clock.
[[nodiscard]] std::unique_ptr<Clock> serving_clock();
[[nodiscard]] std::unique_ptr<PasswordHasher> bcrypt_hasher();

}  // namespace chirp::store
