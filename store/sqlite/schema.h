// The tables of the user directory's file, and whose file it is.
//
//   meta         one row: directory uuid and machine, the last live id, the events noted, when
//                media were last swept
//   users        a row a user
//   tokens       a row an API token: its hash, whose it is, when it ends
//   media        a row an upload and owner: hash, type, size, since when nothing names it
//   due_cards    users whose card the engine may not have as the row says it
//   leaving      users whose removal has begun
//   retired_ids  ids of removed users that the floor of live ids does not keep from coming again
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

// The version of everything below; moves with the data directory's.
inline constexpr std::int64_t kFormatVersion = 7;

// Which data directory a file belongs to.
struct Identity {
  std::string uuid;
  std::uint32_t machine = snowflake::kMachineDefault;

  bool operator==(const Identity&) const = default;
};

// Makes the tables in an empty file.
void create_schema(Connection& connection, const Identity& identity);

// The first files of format 2 have no table `due_cards`; it is made inside a transaction that has
// something to note.
[[nodiscard]] bool has_due_cards(Connection& connection);
void make_due_cards(Connection& connection);

// Checks that the file is a user directory of this format version, then its settings, and says
// whose it is. Throws Error{kCorrupt} for another file, {kVersion} for another version.
[[nodiscard]] Identity check_schema(Connection& connection);

// Whose file an older one is, whatever of the formats up to today's it has. Throws as check_schema.
[[nodiscard]] Identity identity_of_any(Connection& connection);
// Brings a file of an older format to today's, in one transaction. False if it is there already.
bool migrate_schema(Connection& connection);

}  // namespace chirp::sqlite
