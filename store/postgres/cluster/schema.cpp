#include "store/postgres/cluster/schema.h"

#include <fmt/format.h>

#include "core/error.h"

namespace chirp::postgres {
namespace {

constexpr std::uint32_t kFirstVersion = 1;

// Serializes the creation of tables: concurrent `create … if not exists` statements can fail.
constexpr std::string_view kLock = "select pg_advisory_xact_lock(7234001)";

constexpr std::string_view kMeta =
    "create table if not exists meta ("
    " only_row boolean primary key default true check (only_row),"
    " format int4 not null, uuid text not null, machine int4 not null, layout text not null)";

void check_versions(const Identity& found, const std::string& shown) {
  const bool is_known = found.layout == kOne || found.layout == kNodes || found.layout == kCitus;
  const bool is_migrated = found.format_version >= kFirstVersion;
  if (is_migrated && found.format_version <= kFormatVersion && is_known) return;
  throw Error(ErrorCode::kVersion,
              fmt::format("The database {} is of format {} and layout `{}`, and this chirp has "
                          "format {} and the layouts `{}` and `{}`. {}",
                          shown, found.format_version, found.layout, kFormatVersion, kOne, kCitus,
                          found.format_version > kFormatVersion ? "Use a newer chirp."
                                                                : "Use the chirp that made it."));
}

// Checks the columns too, because another program may have a table of this name.
constexpr std::string_view kHasMeta =
    "select count(*) = 5 from pg_attribute where attrelid = to_regclass('meta') and"
    " attname in ('only_row', 'format', 'uuid', 'machine', 'layout')";

// The name of any relation that does not belong to the system, an extension or a temporary schema.
constexpr std::string_view kSomething =
    "select n.nspname || '.' || c.relname from pg_class c"
    " join pg_namespace n on n.oid = c.relnamespace"
    " where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'"
    " and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and not exists"
    " (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid"
    " and d.deptype = 'e') order by 1 limit 1";

// Empty if there is no identity.
std::optional<Identity> said(Connection& connection) {
  if (connection.run(kHasMeta).number(0, 0) == 0) return std::nullopt;
  const Result meta = connection.run("select format, uuid, machine, layout from meta");
  if (meta.empty()) return std::nullopt;
  return Identity{static_cast<std::uint32_t>(meta.number(0, 0)), meta.text(0, 1),
                  static_cast<std::uint32_t>(meta.number(0, 2)), meta.text(0, 3)};
}

// Texts are UTF-8, which other encodings can't fully represent.
void refuse_other_encodings(Connection& connection) {
  const std::string encoding = connection.run("select getdatabaseencoding()::text").text(0, 0);
  if (encoding == "UTF8") return;
  throw Error(ErrorCode::kConflict,
              fmt::format("The database {} is in {}, and texts are UTF-8. Make one with `createdb "
                          "--encoding=UTF8 --template=template0`, and name that.",
                          connection.shown(), encoding));
}

void refuse_what_is_there(Connection& connection) {
  const Result something = connection.run(kSomething);
  if (something.empty()) return;
  throw Error(ErrorCode::kConflict,
              fmt::format("The database {} holds {} already, which is nothing of chirp's. Make one "
                          "for chirp alone, with createdb, and name that.",
                          connection.shown(), something.text(0, 0)));
}

}  // namespace

Identity identity_of(Connection& connection) {
  if (const auto identity = said(connection)) {
    check_versions(*identity, connection.shown());
    return *identity;
  }
  throw Error(ErrorCode::kIo,
              fmt::format("There is nothing of chirp in the database {}. Run `chirp init`, or name "
                          "another one with --data.",
                          connection.shown()));
}

std::optional<Identity> find_identity(Connection& connection) {
  auto identity = said(connection);
  if (identity) check_versions(*identity, connection.shown());
  return identity;
}

void check_format_version(const Identity& identity, const std::string& shown) {
  if (identity.format_version == kFormatVersion) return;
  throw Error(ErrorCode::kVersion,
              fmt::format("The database {} has format {}, older than the format {} that this "
                          "chirp reads. Keep a copy of it (`pg_dump`) and run `chirp migrate`. "
                          "Nothing was changed.",
                          shown, identity.format_version, kFormatVersion));
}

void set_format_version(Connection& home) {
  home.run("update meta set format = $1::int4",
           Params().int4(static_cast<std::int32_t>(kFormatVersion)));
}

bool init(Connection& connection, const Identity& identity) {
  return init(connection, identity, home_schema() + node_schema() + users_schema());
}

bool init(Connection& connection, const Identity& identity, const std::string& tables) {
  if (find_identity(connection)) return false;
  connection.begin();
  try {
    connection.run(kLock);
    // Another process may have created it meanwhile.
    if (find_identity(connection)) {
      connection.rollback();
      return false;
    }
    refuse_other_encodings(connection);
    refuse_what_is_there(connection);
    connection.script(fmt::format("{}; {}", kMeta, tables));
    connection.send(
        "insert into meta (format, uuid, machine, layout)"
        " values ($1::int4, $2::text, $3::int4, $4::text)",
        Params()
            .int4(static_cast<std::int32_t>(identity.format_version))
            .text(identity.uuid)
            .int4(static_cast<std::int32_t>(identity.machine))
            .text(identity.layout));
    connection.commit();
  } catch (...) {
    connection.rollback();
    throw;
  }
  return true;
}

}  // namespace chirp::postgres
