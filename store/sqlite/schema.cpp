#include "store/sqlite/schema.h"

#include <charconv>

#include <fmt/format.h>

#include "core/error.h"
#include "store/sqlite/search.h"

namespace chirp::sqlite {
namespace {

constexpr std::int64_t kApplicationId = 0x63687270;  // "chrp"

// E-mail addresses and source ids have partial indexes, so users without one cost nothing. A number
// has 32 bits; AUTOINCREMENT keeps removed ones from reuse.
constexpr const char* kFirstTables = R"sql(
CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  uuid TEXT NOT NULL,
  machine INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  events INTEGER NOT NULL
) STRICT;

CREATE TABLE users (
  number INTEGER PRIMARY KEY AUTOINCREMENT CHECK (number BETWEEN 1 AND 4294967295),
  id INTEGER NOT NULL UNIQUE,
  username TEXT NOT NULL COLLATE NOCASE UNIQUE,
  email TEXT COLLATE NOCASE,
  password TEXT,
  display_name TEXT,
  bio TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  source_id INTEGER,
  name_origin INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX users_email ON users (email) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX users_source_id ON users (source_id) WHERE source_id IS NOT NULL;
CREATE INDEX users_created_at ON users (created_at);

CREATE TABLE leaving (
  number INTEGER PRIMARY KEY REFERENCES users (number) ON DELETE CASCADE
) STRICT;
CREATE TABLE retired_ids (id INTEGER PRIMARY KEY) STRICT;

CREATE VIEW searchable AS
  SELECT number,
         chirp_folded(username) || coalesce(char(10) || chirp_folded(display_name), '') AS text
  FROM users;
CREATE VIRTUAL TABLE user_search USING fts5(
  text, content = 'searchable', content_rowid = 'number',
  tokenize = 'trigram', detail = none, columnsize = 0
);
)sql";

// Changes of format 2. A new file takes the same steps as an old one, so both have the same schema.
// A media row is not deleted with its picture but by the sweep, so users have no foreign keys to
// it.
constexpr const char* kSecondTables = R"sql(
ALTER TABLE meta ADD COLUMN media_swept INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN picture INTEGER;
CREATE INDEX users_picture ON users (picture) WHERE picture IS NOT NULL;

CREATE TABLE tokens (
  hash TEXT PRIMARY KEY CHECK (length(hash) = 64),
  user INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_user ON tokens (user);

CREATE TABLE media (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  owner INTEGER NOT NULL REFERENCES users (number) ON DELETE CASCADE,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  type INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  idle_since INTEGER NOT NULL,
  UNIQUE (owner, hash)
) STRICT;
CREATE INDEX media_hash ON media (hash);
CREATE INDEX media_idle_since ON media (idle_since);
)sql";

// Each time a card becomes due it gets a new number, so settling one time does not settle the next.
// The first files of format 2 lack this table.
constexpr const char* kDueCards = R"sql(
CREATE TABLE IF NOT EXISTS due_cards (
  due INTEGER PRIMARY KEY AUTOINCREMENT,
  number INTEGER NOT NULL UNIQUE REFERENCES users (number) ON DELETE CASCADE
) STRICT;
)sql";

// Changes of format 3.
constexpr const char* kThirdTables = R"sql(
ALTER TABLE users ADD COLUMN source_word TEXT;
CREATE UNIQUE INDEX users_source_word ON users (source_word) WHERE source_word IS NOT NULL;
ALTER TABLE users ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0 CHECK (suspended IN (0, 1));
CREATE INDEX users_suspended ON users (username) WHERE suspended = 1;
ALTER TABLE users ADD COLUMN old_name TEXT COLLATE NOCASE;
ALTER TABLE users ADD COLUMN old_name_until INTEGER;
CREATE UNIQUE INDEX users_old_name ON users (old_name) WHERE old_name IS NOT NULL;
)sql";

constexpr std::int64_t kFirstVersion = 1;
constexpr std::int64_t kSecondVersion = 2;
constexpr std::int64_t kThirdVersion = 3;
constexpr std::int64_t kFourthVersion = 4;

[[noreturn]] void refuse_foreign(const Connection& connection) {
  throw Error(ErrorCode::kCorrupt,
              fmt::format("{} is not a user directory of chirp's. Put it back by chirp restore.",
                          connection.file().string()));
}

std::int64_t number_in(Connection& connection, const std::string& pragma) {
  const std::string text = connection.pragma(pragma);
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) refuse_foreign(connection);
  return value;
}

void check_version(const Connection& connection, std::int64_t version) {
  if (version == kFormatVersion) return;
  const std::string_view advice =
      version < kFormatVersion ? "Run `chirp migrate`." : "Use a newer chirp; nothing was changed.";
  throw Error(ErrorCode::kVersion,
              fmt::format("{} has format version {}, this chirp reads {}. {}",
                          connection.file().string(), version, kFormatVersion, advice));
}

// Throws for another program's file.
std::int64_t version_of(Connection& connection) {
  if (number_in(connection, "application_id") != kApplicationId) refuse_foreign(connection);
  return number_in(connection, "user_version");
}

Identity read_identity(Connection& connection) {
  Rows rows = connection.rows("SELECT uuid, machine FROM meta WHERE one = 1");
  constexpr std::size_t kUuidSize = 36;
  if (!rows.next()) refuse_foreign(connection);
  const std::int64_t machine = rows.integer(1);
  Identity identity{rows.text(0), static_cast<std::uint32_t>(machine)};
  if (identity.uuid.size() != kUuidSize || machine < snowflake::kMachineMin ||
      machine > snowflake::kMachineMax) {
    refuse_foreign(connection);
  }
  return identity;
}

}  // namespace

void create_schema(Connection& connection, const Identity& identity) {
  connection.expect_safety();
  define_search(connection);
  Transaction transaction(connection);
  connection.execute(fmt::format("PRAGMA application_id={}", kApplicationId));
  connection.execute(fmt::format("PRAGMA user_version={}", kFormatVersion));
  connection.execute(kFirstTables);
  connection.execute(kSecondTables);
  connection.execute(kDueCards);
  connection.execute(kThirdTables);
  connection.run("INSERT INTO meta (one, uuid, machine, last_id, events) VALUES (1, ?1, ?2, 0, 0)",
                 identity.uuid, identity.machine);
  transaction.commit();
}

Identity check_schema(Connection& connection) {
  check_version(connection, version_of(connection));
  connection.expect_safety();
  define_search(connection);
  return read_identity(connection);
}

Identity identity_of_any(Connection& connection) {
  const std::int64_t version = version_of(connection);
  if (version < kFirstVersion || version > kFormatVersion) check_version(connection, version);
  return read_identity(connection);
}

bool migrate_schema(Connection& connection) {
  (void)identity_of_any(connection);
  connection.expect_safety();
  define_search(connection);  // the view among the tables calls it
  Transaction transaction(connection);
  const std::int64_t version = version_of(connection);
  if (version == kFormatVersion) return false;
  if (version < kSecondVersion) connection.execute(kSecondTables);
  connection.execute(kDueCards);
  if (version < kThirdVersion) connection.execute(kThirdTables);
  // Format 4 folds names differently from earlier formats.
  if (version < kFourthVersion) rebuild_search(connection);
  connection.execute(fmt::format("PRAGMA user_version={}", kFormatVersion));
  transaction.commit();
  return true;
}

}  // namespace chirp::sqlite
