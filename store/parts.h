// What the parts of a data directory's code share; for store/ alone.
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

namespace chirp::store {

// Lays out an empty data directory's lock files and folders, and says last what it is.
void lay_out(const Layout& layout, const Identity& identity);

// Alone in the directory, while it lives: for what replaces its files. Throws Error{kUnavailable}
// while somebody else has it open; `doing` begins the sentence.
[[nodiscard]] LockFile lock_alone(const Layout& layout, std::string_view doing);

// The identity of the directory, of whatever format up to today's. Throws Error{kIo} if there is
// none.
[[nodiscard]] Identity identity_at(const Layout& layout);

// Brings what `layout` holds from the format that `identity` says to today's, for whoever is alone
// in it. The parts changed.
std::vector<std::string> migrate_parts(const Layout& layout, const Identity& identity);

// Makes anew what a store keeps of the texts of posts, as the grammar of today's format reads them:
// the hashtags of recent posts. Notifications that were made stay. Harmless when run again.
void derive_anew(Storage& storage);

// Throw Error{kCorrupt} unless the store says the same of itself as the directory.
void check_engine(const std::shared_ptr<lmdb::Env>& env, const Identity& identity,
                  const Layout& layout);
void check_users(const sqlite::SqliteUserDirectory& users, const Identity& identity,
                 const Layout& layout);

// Both stores of a directory, as they are, or as copies of one moment where the engine's locks
// can't be taken part in. Throws as their opening does.
struct Stores {
  std::unique_ptr<sqlite::SqliteUserDirectory> users;
  std::shared_ptr<lmdb::Env> engine;
};
[[nodiscard]] Stores open_stores(const Layout& layout);

// A consistent copy of an open directory into `destination`.
Copied back_up(const Layout& layout, const Identity& identity,
               const std::shared_ptr<lmdb::Env>& env, sqlite::SqliteUserDirectory& users,
               const std::filesystem::path& destination);

}  // namespace chirp::store
