// Migrates an older format to the current one: first each store, and chirp.format last. Until then
// the directory has the older format, so no process opens it half-migrated.
#include <map>
#include <string>

#include <fmt/format.h>

#include "core/doctor/checks.h"
#include "core/error.h"
#include "store/build_folder.h"
#include "store/data_directory.h"
#include "store/disk_reserve.h"
#include "store/lmdb/storage.h"
#include "store/parts.h"
#include "store/sqlite/connection.h"
#include "store/sqlite/schema.h"

namespace chirp::store {

static_assert(kFormatVersion == sqlite::kFormatVersion);

namespace {

// From this format on, everything derived from posts follows the current rules.
constexpr std::uint32_t kDerivedFrom = 5;

[[noreturn]] void refuse_foreign(const std::filesystem::path& part, const Layout& layout) {
  throw Error(ErrorCode::kCorrupt,
              fmt::format("{} does not belong to {}: it is of another data directory. Nothing was "
                          "changed; restore a backup with `chirp restore`.",
                          part.string(), layout.root.string()));
}

// Checks that the stores belong together, before anything is changed.
void check_belonging(const Layout& layout, const Identity& identity) {
  sqlite::Connection users(layout.users());
  const sqlite::Identity theirs = sqlite::identity_of_any(users);
  if (theirs.uuid != identity.uuid || theirs.machine != identity.machine) {
    refuse_foreign(layout.users(), layout);
  }
  const lmdb::Identity engine = lmdb::identity_of(
      lmdb::Env::open(layout.engine(), layout.write_lock(), lmdb::OpenMode::kOlder));
  check_known_version(engine.format_version, layout.engine());
  if (engine.uuid != identity.uuid || engine.machine != identity.machine) {
    refuse_foreign(layout.engine(), layout);
  }
}

std::uint64_t rows_of(const std::map<std::string, std::uint64_t>& tables, const char* table) {
  const auto found = tables.find(table);
  return found == tables.end() ? 0 : found->second;
}

}  // namespace

void derive_anew(Storage& storage, const Watched& watched) {
  const Time now = system_clock()->now();
  const auto tables = storage.snapshot()->table_rows();
  const std::uint64_t total = rows_of(tables, "posts") + rows_of(tables, "comments");
  std::uint64_t done = 0;
  const auto walked = [&](std::uint64_t rows) {
    done += rows;
    if (watched) watched(done, total);
  };
  doctor::separate_levels(storage, now, walked);
  doctor::hide_comments(storage, now, walked);
  const Time until = storage.snapshot()->state().passed.until;
  // Tags are kept for some days. If nothing has happened for a long time, the days before the last
  // event count, so that a program whose clock is behind finds what it needs. The consumer removes
  // older tags.
  const bool is_idle = until != Time{} && until < now;
  doctor::repair_hashtags(storage, is_idle ? until : now);
}

std::vector<std::string> migrate_parts(const Layout& layout, const Identity& identity,
                                       const Watched& watched) {
  if (identity.format_version == kFormatVersion) return {};
  check_belonging(layout, identity);
  std::vector<std::string> changed;
  {
    sqlite::Connection users(layout.users());
    if (sqlite::migrate_schema(users)) changed.emplace_back("users");
  }
  if (lmdb::migrate_store(layout.engine(), layout.write_lock(), kFormatVersion)) {
    changed.emplace_back("engine");
  }
  // This runs outside the transaction of the tables. After a crash in between it runs again,
  // because the directory has the older format until the end.
  if (identity.format_version < kDerivedFrom) {
    derive_anew(*lmdb::open_storage(
                    lmdb::Env::open(layout.engine(), layout.write_lock(), lmdb::OpenMode::kOpen)),
                watched);
  }
  replace_format_file(layout.root, {kFormatVersion, identity.uuid, identity.machine});
  changed.emplace_back("directory");
  return changed;
}

bool older_format(const std::filesystem::path& path) {
  const auto identity = read_any_format_file(Layout(plain_path(path)).root);
  return identity && identity->format_version != kFormatVersion;
}

std::uint32_t check_migration(const std::filesystem::path& path) {
  const Layout layout(plain_path(path));
  (void)identity_at(layout);
  const LockFile alone = lock_alone(layout, "Migrating");
  const Identity identity = identity_at(layout);
  if (identity.format_version != kFormatVersion) check_belonging(layout, identity);
  return identity.format_version;
}

Migrated migrate(const std::filesystem::path& path, const Watched& watched) {
  const Layout layout(plain_path(path));
  (void)identity_at(layout);
  const LockFile alone = lock_alone(layout, "Migrating");
  const Identity identity = identity_at(layout);
  if (identity.format_version != kFormatVersion) {
    // Rebuilds what is derived from posts; its size is not known in advance.
    check_room_for("Migrating", layout.root, 0, reserve_from_environment());
  }
  return {identity.format_version, migrate_parts(layout, identity, watched)};
}

}  // namespace chirp::store
