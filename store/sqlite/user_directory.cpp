#include "store/sqlite/user_directory.h"

#include <charconv>
#include <utility>

#include "core/error.h"
#include "store/sqlite/user_table.h"
#include "store/users/changes.h"

namespace chirp::sqlite {
std::unique_ptr<SqliteUserDirectory> open_user_directory(const std::filesystem::path& file) {
  return std::make_unique<SqliteUserDirectory>(file);
}

void create_user_directory(const std::filesystem::path& file, const Identity& identity) {
  try {
    Connection connection = Connection::create(file);
    create_schema(connection, identity);
    connection.try_checkpoint();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kConflict) throw;
    std::error_code ignored;
    for (const char* part : {"", "-wal", "-shm"}) {
      std::filesystem::remove(file.string() + part, ignored);
    }
    throw;
  }
}

SqliteUserDirectory::SqliteUserDirectory(const std::filesystem::path& file)
    : SqliteUserDirectory(std::make_unique<Connection>(file), file) {}

SqliteUserDirectory::SqliteUserDirectory(const std::filesystem::path& file, const PrivateCopy& copy)
    : SqliteUserDirectory(std::make_unique<Connection>(file, copy), file) {}

SqliteUserDirectory::SqliteUserDirectory(std::unique_ptr<Connection> first,
                                         const std::filesystem::path& file)
    : identity_(check_schema(*first)),
      file_(file),
      connections_(std::move(first)),
      media_(connections_, version_, file.parent_path() / "media") {}

// ---- changes

User SqliteUserDirectory::add(const NewUser& user, Time now) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection, SpaceUse::kAdds);
  SqliteUserTable table(connection);
  User added = users::add(table, identity_.machine, user, now);
  table.index_inserted();
  version_.commit_unmoved(transaction);
  return added;
}

User SqliteUserDirectory::edit(UserNumber number, const UserEdit& edit) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection);
  SqliteUserTable table(connection);
  User edited = users::edit(table, number, edit);
  transaction.commit();
  return edited;
}

bool SqliteUserDirectory::replace_hash(UserNumber number, std::string_view before,
                                       std::string_view after) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection);
  connection.run("UPDATE users SET password = ?3 WHERE number = ?1 AND password = ?2", number.value,
                 before, after);
  const bool replaced = connection.changed() == 1;
  transaction.commit();
  return replaced;
}

bool SqliteUserDirectory::remove(UserNumber number) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection);
  SqliteUserTable table(connection);
  if (!users::remove(table, identity_.machine, number)) return false;
  transaction.commit();
  return true;
}

// ---- removals in progress

void SqliteUserDirectory::set_leaving(UserNumber number, bool leaving) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection);
  connection.run(
      leaving ? "INSERT OR IGNORE INTO leaving (number) SELECT number FROM users WHERE number = ?1"
              : "DELETE FROM leaving WHERE number = ?1",
      number.value);
  transaction.commit();
}

std::vector<UserNumber> SqliteUserDirectory::removals() const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  std::vector<UserNumber> numbers;
  Rows rows = connection.rows("SELECT number FROM leaving ORDER BY number");
  while (rows.next()) numbers.push_back({static_cast<std::uint32_t>(rows.integer(0))});
  return numbers;
}

// ---- the file

void SqliteUserDirectory::tell_version() {
  try {
    version_.open(file_);
    if (version_.now()) return;
    // Nothing was written since the log's index was made; a commit without changes writes nothing.
    const auto lent = connections_.lend();
    Connection& connection = *lent;
    Transaction transaction(connection);
    connection.run("UPDATE meta SET events = events + 1 WHERE one = 1");
    connection.run("UPDATE meta SET events = events - 1 WHERE one = 1");
    transaction.commit();
  } catch (const Error&) {
    // Then each read goes to the file.
  }
}

void SqliteUserDirectory::note_events(Sequence sequence) {
  if (sequence <= noted_events()) return;
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection, Transaction::Wait::kNever);
  connection.run("UPDATE meta SET events = max(events, ?1) WHERE one = 1", sequence.value);
  version_.commit_unmoved(transaction);
}

UserNumber SqliteUserDirectory::last_number() const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Rows rows = connection.rows("SELECT seq FROM sqlite_sequence WHERE name = 'users'");
  return rows.next() ? UserNumber{static_cast<std::uint32_t>(rows.integer(0))} : kNobody;
}

void SqliteUserDirectory::reset_noted_events(Sequence sequence) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection);
  connection.run("UPDATE meta SET events = ?1 WHERE one = 1", sequence.value);
  transaction.commit();
}

Sequence SqliteUserDirectory::noted_events() const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Rows rows = connection.rows("SELECT events FROM meta WHERE one = 1");
  return rows.next() ? Sequence{static_cast<std::uint64_t>(rows.integer(0))} : Sequence{0};
}

std::uint64_t SqliteUserDirectory::bytes_in_use() const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  const auto number = [&](const std::string& name) {
    const std::string text = connection.pragma(name);
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  return (number("page_count") - number("freelist_count")) * number("page_size");
}

std::map<std::string, std::uint64_t> SqliteUserDirectory::table_bytes() const {
  const auto lent = connections_.lend();
  Rows rows = (*lent).rows("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE");
  std::map<std::string, std::uint64_t> bytes;
  while (rows.next()) bytes[rows.text(0)] += static_cast<std::uint64_t>(rows.integer(1));
  return bytes;
}

// A caller on one thread always borrows the same connection.
void SqliteUserDirectory::hold() {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  connection.execute("BEGIN");
  connection.execute("SELECT 1 FROM users LIMIT 1");
}

void SqliteUserDirectory::copy_to(const std::filesystem::path& destination) {
  const auto lent = connections_.lend();
  (*lent).copy_to(destination);
}

void SqliteUserDirectory::compact(const store::Watched& watched) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  {
    Transaction transaction(connection);
    // Removes deleted names from the search index for good.
    connection.run("INSERT INTO user_search (user_search) VALUES ('optimize')");
    transaction.commit();
  }
  connection.rewrite(watched);
}

}  // namespace chirp::sqlite
