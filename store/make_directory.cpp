#include <cerrno>
#include <fcntl.h>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/ids.h"
#include "store/build_folder.h"
#include "store/data_directory.h"
#include "store/database.h"
#include "store/files.h"
#include "store/lmdb/storage.h"
#include "store/own_files.h"
#include "store/parts.h"
#include "store/sqlite/user_directory.h"

namespace chirp::store {
namespace {

namespace fs = std::filesystem;

// Throws if the requested machine is not `found`, the one at `place`.
void check_machine(std::optional<std::uint32_t> machine, std::uint32_t found,
                   const std::string& place) {
  if (!machine || *machine == found) return;
  throw Error(ErrorCode::kConflict,
              fmt::format("There is a chirp directory at {} already, of machine {}. Its machine "
                          "can't be changed.",
                          place, found));
}

// Whether there already is a data directory as requested.
bool is_there(const fs::path& path, std::optional<std::uint32_t> machine) {
  const auto identity = read_format_file(path);
  if (!identity) return false;
  check_machine(machine, identity->machine, path.string());
  return true;
}

// Throws unless the path is missing or an empty folder.
void check_free(const fs::path& path) {
  if (const Layout layout(path); fs::exists(layout.restored_from())) (void)identity_at(layout);
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status)) {
    const bool empty = fs::is_empty(path, error);
    if (error) throw_errno("Reading", path, error.value());
    if (empty) return;
  }
  throw Error(ErrorCode::kConflict,
              fmt::format("{} is there already and is no chirp directory. Choose another place.",
                          path.string()));
}

// Returns the machine for a new directory. Throws Error{kInvalidArgument} if it is not allowed.
std::uint32_t machine_number(std::optional<std::uint32_t> machine) {
  const std::uint32_t number = machine.value_or(snowflake::kMachineDefault);
  if (number >= snowflake::kMachineMin && number <= snowflake::kMachineMax) return number;
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("A machine number is {} to {}.", snowflake::kMachineMin, snowflake::kMachineMax),
      "machine");
}

}  // namespace

void lay_out(const Layout& layout, const Identity& identity) {
  std::error_code error;
  if (!fs::exists(layout.media(), error)) make_folder(layout.media());
  for (const fs::path& lock : {layout.open_lock(), layout.write_lock(), layout.fan_out_lock()}) {
    (void)open_own(lock, O_RDWR | O_CREAT, FileUse::kLock);
  }
  write_format_file(layout.root, identity);
}

Created make_data_directory(const fs::path& path, std::optional<std::uint32_t> machine) {
  const std::uint32_t number = machine_number(machine);
  const fs::path plain = plain_path(path);
  if (is_there(plain, machine)) return Created::kThere;
  check_free(plain);

  BuildFolder build(plain);
  const Layout layout(build.path());
  const Identity identity = new_identity(number);
  make_folder(layout.engine());
  lmdb::create_store(layout.engine(), layout.write_lock(),
                     {identity.format_version, identity.uuid, identity.machine});
  sqlite::create_user_directory(layout.users(), {identity.uuid, identity.machine});
  lay_out(layout, identity);
  try {
    build.put_in_place();
  } catch (const Error& error) {
    // Another process has made it meanwhile.
    if (error.code() == ErrorCode::kConflict && is_there(plain, machine)) return Created::kThere;
    throw;
  }
  return Created::kNew;
}

Created make_data_directory(const DataPlace& place, std::optional<std::uint32_t> machine,
                            const Spread& spread) {
  if (spread.citus && !place.is_database()) {
    throw Error(ErrorCode::kInvalidArgument,
                "Citus spreads a database of PostgreSQL. Name one with --data postgresql://…, or "
                "leave out --citus.",
                "citus");
  }
  if (spread.buckets && !spread.citus) {
    throw Error(ErrorCode::kInvalidArgument,
                "There are buckets where Citus spreads them. Give --citus, or leave out --buckets.",
                "buckets");
  }
  if (!place.is_database()) return make_data_directory(place.folder(), machine);
  const std::uint32_t number = machine_number(machine);
  const MadeDatabase made = make_database(place, number, spread);
  check_machine(machine, made.machine, place.text());
  return made.created;
}

}  // namespace chirp::store
