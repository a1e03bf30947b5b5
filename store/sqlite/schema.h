// The tables of the user directory's file, and the file's identity.
//
//   meta         one row: directory uuid and machine, the last live id, the events noted, when
//                media were last swept
//   users        one row per user
//   tokens       one row per API token: its hash, its user, its expiry
//   media        one row per upload and owner: hash, type, size, since when nothing names it
//   due_cards    users whose card in the engine may differ from their row
//   leaving      users whose removal has begun
//   retired_ids  ids of removed users that the floor of live ids does not keep from reuse
//   searchable   a view: user number, folded username and display name
//   user_search  trigrams of `searchable` (FTS5, no copy of the text)
//
// application_id is "chrp", user_version the format version.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/model/ids.h"
#include "store/sqlite/connection.h"

namespace chirp::sqlite {

// The version of everything below: the data directory's (store/migrate.cpp compares them).
inline constexpr std::int64_t kFormatVersion = 7;

// The data directory that a file belongs to.
struct Identity {
  std::string uuid;
  std::uint32_t machine = snowflake::kMachineDefault;

  bool operator==(const Identity&) const = default;
};

// Makes the tables in an empty file.
void create_schema(Connection& connection, const Identity& identity);

// Checks that the file is a user directory of this format version, and its settings. Returns its
// identity. Throws Error{kCorrupt} for another file, {kVersion} for another version.
[[nodiscard]] Identity check_schema(Connection& connection);

// Returns the identity of a file of any format up to the current one. Throws as check_schema.
[[nodiscard]] Identity identity_of_any(Connection& connection);
// Migrates a file to the current format in one transaction. Returns false if it is current.
bool migrate_schema(Connection& connection);

}  // namespace chirp::sqlite
