// Checks the user directory, and rebuilds what is derived in it.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/private_folder.h"
#include "store/sqlite/errors.h"
#include "store/sqlite/private_copy.h"
#include "store/sqlite/search.h"
#include "store/sqlite/session.h"
#include "store/sqlite/user_directory.h"
#include "store/users/id_mint.h"
#include "store/users/problems.h"

namespace chirp::sqlite {
namespace {

// Smaller files are checked at once, which also finds pages that belong to no table or to two.
constexpr std::int64_t kPagesAtOnce = 16'384;

std::int64_t number_of(Connection& connection, std::string_view sql) {
  Rows rows = connection.rows(sql);
  return rows.next() ? rows.integer(0) : 0;
}

bool is_large(Connection& connection) {
  return number_of(connection, "PRAGMA page_count") > kPagesAtOnce;
}

// The tables that have their own pages, and the one that lists them.
std::vector<std::string> tables_of(Connection& connection) {
  std::vector<std::string> tables{"sqlite_schema"};
  Rows rows =
      connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0");
  while (rows.next()) tables.push_back(rows.text(0));
  return tables;
}

void check_integrity(Connection& connection, const std::string& what, users::Problems& problems) {
  problems.collect("users.db", [&] {
    Rows rows = connection.rows(fmt::format("PRAGMA integrity_check({})", what));
    while (rows.next()) {
      const std::string line = rows.text(0);
      if (line != "ok") problems.add("users.db: " + line);
    }
  });
}

// Each table in its own transaction: the log grows during each.
void check_file(Connection& connection, users::Problems& problems) {
  std::vector<std::string> tables;
  problems.collect("users.db", [&] {
    tables = tables_of(connection);
    if (is_large(connection)) {
      for (const std::string& table : tables) {
        check_integrity(connection, "'" + table + "'", problems);
      }
    } else {
      check_integrity(connection, "50", problems);
    }
  });
  std::int64_t lost = 0;
  problems.collect("users.db", [&] {
    for (const std::string& table : tables) {
      lost += number_of(connection,
                        fmt::format("SELECT count(*) FROM pragma_foreign_key_check('{}')", table));
    }
  });
  if (lost != 0) {
    problems.add(fmt::format("users.db: {} rows refer to users who are not there", lost));
  }
}

void check_search_of(Connection& connection) {
  Transaction transaction(connection, SpaceUse::kNothing);
  check_search(connection);
}

// The check holds the writers' turn, which a read-only directory can't take. In a large file it
// takes seconds, so a copy is checked if there is space for one.
void check_names_search(Connection& connection, users::Problems& problems) {
  if (connection.access() == FileAccess::kReadOnly) return;
  problems.collect("the search among names is not that of the users", [&] {
    std::optional<store::PrivateFolder> folder;
    try {
      if (is_large(connection)) folder.emplace(bytes_to_copy(connection.file()));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kStorageFull) throw;
    }
    if (!folder) return check_search_of(connection);
    const auto file = folder->path() / connection.file().filename();
    connection.copy_to(file, Connection::Copy::kForNow);
    Connection copy(file);
    copy.execute("PRAGMA journal_mode=MEMORY");
    folder.reset();  // the open file is enough, and disappears when this process ends
    define_search(copy);
    try {
      check_search_of(copy);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kCorrupt) throw;
      // Each copy has another name, and only errors found twice count.
      throw corrupt("its index of names is malformed", connection.file());
    }
  });
}

}  // namespace

std::vector<std::string> SqliteUserDirectory::problems() const {
  users::Problems problems;
  {
    const auto lent = connections_.lend();
    check_file(*lent, problems);
    check_names_search(*lent, problems);
  }
  std::uint64_t floor = 0;
  problems.collect("users.db", [&] { floor = floor_of_ids(); });
  problems.collect("users.db", [&] { check_rows(floor, problems); });
  return std::move(problems).take();
}

void SqliteUserDirectory::rebuild_indexes() {
  SqliteSession session(connections_, version_);
  session.begin();
  session.connection().run("REINDEX");
  rebuild_search(session.connection());
  users::IdMint ids(session.users(), machine());
  {
    const auto rows =
        session.rows("select coalesce(max(id), 0) from users where (id >> 12) & 1023 <> $1::int8",
                     snowflake::kLoadMachine);
    if (rows->next()) ids.raise_floor(UserId{rows->natural(0)});
  }
  ids.save();
  session.commit(users::CachedRows::kStale);
}

}  // namespace chirp::sqlite
