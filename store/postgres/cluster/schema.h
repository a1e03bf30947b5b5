// The tables of a database of chirp, and its identity.
//
// Each part of the store defines its tables in a file of its own (schema_storage.cpp,
// schema_users.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/postgres/connection/connection.h"

namespace chirp::postgres {

// The version of the tables.
inline constexpr std::uint32_t kFormatVersion = 3;

inline constexpr std::string_view kOne = "one";
inline constexpr std::string_view kNodes = "nodes";
inline constexpr std::string_view kCitus = "citus";

// The identity that a database stores.
struct Identity {
  std::uint32_t format_version = kFormatVersion;
  std::string uuid;
  std::uint32_t machine = 0;
  std::string layout = "one";

  bool operator==(const Identity&) const = default;
};

// Creates all tables of one database and stores `identity`, in one transaction, so it is safe to
// repeat or to run twice at once. Returns false if there are tables of chirp already. Throws
// Error{kConflict} for a database with other contents, {kVersion} for one of another version,
// {kNotLetIn} for a role that may not create tables.
bool init(Connection& connection, const Identity& identity);
// The same with the given tables (places.h).
bool init(Connection& connection, const Identity& identity, const std::string& tables);

// Returns the identity of a database of any version up to the current one. Throws Error{kIo} for a
// database that was not set up, and Error{kVersion} for a version that this program neither reads
// nor migrates.
[[nodiscard]] Identity identity_of(Connection& connection);
// Returns the same, or empty for a database that was not set up.
[[nodiscard]] std::optional<Identity> find_identity(Connection& connection);

// Throws Error{kVersion} unless the version is current; `shown` is the database, for the message.
void check_format_version(const Identity& identity, const std::string& shown);
// Marks the tables as current. A store on several servers keeps the version at home only.
void set_format_version(Connection& home);

// Statements that create missing tables of one part: the store's global tables, the store's
// distributed tables, and the users.
[[nodiscard]] std::string home_schema();
[[nodiscard]] std::string node_schema();
[[nodiscard]] std::string users_schema();
// The tables that record on each server except home what was applied.
[[nodiscard]] std::string applied_schema();

}  // namespace chirp::postgres
