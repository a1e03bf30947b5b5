// Shared parts of the data directory's code; only for store/.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ports/storage.h"
#include "store/copied.h"
#include "store/format_file.h"
#include "store/layout.h"
#include "store/lmdb/env.h"
#include "store/lock_file.h"
#include "store/sqlite/user_directory.h"
#include "store/watched.h"

namespace chirp::store {

// Makes an empty data directory's lock files and folders, and the format file last.
void lay_out(const Layout& layout, const Identity& identity);

// Takes exclusive use of the directory while the lock lives, for replacing its files. Throws
// Error{kUnavailable} while another process has it open; `doing` begins the sentence.
[[nodiscard]] LockFile lock_alone(const Layout& layout, std::string_view doing);

// Returns the identity of the directory, of any format up to the current one. Throws Error{kIo} if
// the directory is missing.
[[nodiscard]] Identity identity_at(const Layout& layout);

// Migrates the directory at `layout` from the format in `identity` to the current one. Needs
// exclusive use. Returns the changed parts.
std::vector<std::string> migrate_parts(const Layout& layout, const Identity& identity,
                                       const Watched& watched = {});

// Rebuilds what a store of an older format lacks: the hashtags of recent posts by the current
// grammar, the logs of each privacy level, counters, hidden comments. Existing notifications stay.
// Safe to repeat.
void derive_anew(Storage& storage, const Watched& watched = {});

// Both throw Error{kCorrupt} unless the store has the directory's identity.
void check_engine(const std::shared_ptr<lmdb::Env>& env, const Identity& identity,
                  const Layout& layout);
void check_users(const sqlite::SqliteUserDirectory& users, const Identity& identity,
                 const Layout& layout);

// Both stores of a directory, opened directly, or as copies of one moment if the engine's locks
// can't be used. Throws as their opening does.
struct Stores {
  std::unique_ptr<sqlite::SqliteUserDirectory> users;
  std::shared_ptr<lmdb::Env> engine;
};
[[nodiscard]] Stores open_stores(const Layout& layout);

// Makes a consistent copy of an open directory in `destination`.
Copied back_up(const Layout& layout, const Identity& identity,
               const std::shared_ptr<lmdb::Env>& env, sqlite::SqliteUserDirectory& users,
               const std::filesystem::path& destination);

}  // namespace chirp::store
