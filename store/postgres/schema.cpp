#include "store/postgres/schema.h"

#include <fmt/format.h>

namespace chirp::postgres {
namespace {

// Whoever else makes tables at the same time waits: `create … if not exists` alone fails then.
constexpr std::string_view kLock = "select pg_advisory_xact_lock(7234001)";

constexpr std::string_view kMeta =
    "create table if not exists meta ("
    " only_row boolean primary key default true check (only_row),"
    " format int4 not null, uuid text not null, machine int4 not null, layout text not null)";

void check_versions(const Identity& found) {
  if (found.format_version == kFormatVersion && found.layout == Identity{}.layout) return;
  throw Error(ErrorCode::kVersion,
              fmt::format("The database is of format {} and layout `{}`, and this chirp has format "
                          "{} and layout `{}`. Use the chirp that belongs to it.",
                          found.format_version, found.layout, kFormatVersion, Identity{}.layout));
}

}  // namespace

Identity identity_of(Connection& connection) {
  const Result there = connection.run("select to_regclass('meta') is not null");
  if (there.number(0, 0) != 0) {
    const Result meta = connection.run("select format, uuid, machine, layout from meta");
    if (!meta.empty()) {
      const Identity identity{static_cast<std::uint32_t>(meta.number(0, 0)), meta.text(0, 1),
                              static_cast<std::uint32_t>(meta.number(0, 2)), meta.text(0, 3)};
      check_versions(identity);
      return identity;
    }
  }
  throw Error(ErrorCode::kNotFound,
              "The database is empty. Make it one of chirp with `chirp init --data URL`.");
}

bool init(Connection& connection, const Identity& identity) {
  connection.script(
      fmt::format("begin; {}; {}; {} {} commit;", kLock, kMeta, storage_schema(), users_schema()));
  const Result meta = connection.run(
      "insert into meta (format, uuid, machine, layout)"
      " values ($1::int4, $2::text, $3::int4, $4::text) on conflict do nothing",
      Params()
          .int4(static_cast<std::int32_t>(identity.format_version))
          .text(identity.uuid)
          .int4(static_cast<std::int32_t>(identity.machine))
          .text(identity.layout));
  (void)identity_of(connection);
  return meta.changed() != 0;
}

}  // namespace chirp::postgres
