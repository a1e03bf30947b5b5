#include "store/sqlite/user_directory.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "store/sqlite/session.h"

namespace chirp::sqlite {
namespace {

// Disk space for each loaded user: several times the row's size in the log and the file, and the
// user's data in the engine's store, which is on the same disk and written after the commit.
constexpr std::uint64_t kRoomBytes = 1024;

}  // namespace

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

SqliteUserDirectory::SqliteUserDirectory(std::unique_ptr<Connection>&& first,
                                         const std::filesystem::path& file)
    : SqliteUserDirectory(std::move(first), file, check_schema(*first)) {}

SqliteUserDirectory::SqliteUserDirectory(std::unique_ptr<Connection>&& first,
                                         const std::filesystem::path& file,
                                         const Identity& identity)
    : SqlUserDirectory(identity.machine),
      identity_(identity),
      file_(file),
      connections_(std::move(first)),
      media_(connections_, version_, file.parent_path() / "media") {}

std::unique_ptr<users::SqlSession> SqliteUserDirectory::lend(users::SqlSession::Work work) const {
  return std::make_unique<SqliteSession>(connections_, version_, work);
}

void SqliteUserDirectory::check_room(std::size_t added) const {
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(file_, unknown);
  const std::uint64_t needed = added * kRoomBytes;
  if (unknown || space.available >= needed) return;
  throw Error(ErrorCode::kStorageFull,
              fmt::format("{}: the disk is full but for {} bytes, and {} more users take up to {}. "
                          "Free some space and try again.",
                          file_.string(), space.available, added, needed));
}

std::uint64_t SqliteUserDirectory::count() const {
  return one_number("select count(*) from users");
}

// ---- the file

void SqliteUserDirectory::tell_version() {
  try {
    version_.open(file_);
    if (version_.now()) return;
    // Nothing was written since the log's index was made; a commit without changes writes nothing.
    SqliteSession session(connections_, version_);
    session.begin();
    session.send("update meta set events = events + 1 where one = 1");
    session.send("update meta set events = events - 1 where one = 1");
    session.commit(users::CachedRows::kStale);
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
  const auto last = one_number("select seq from sqlite_sequence where name = 'users'");
  return UserNumber{static_cast<std::uint32_t>(last)};
}

void SqliteUserDirectory::reset_noted_events(Sequence sequence) {
  SqliteSession session(connections_, version_);
  session.begin();
  session.send("update meta set events = $1::int8 where one = 1", sequence.value);
  session.commit(users::CachedRows::kStale);
}

Sequence SqliteUserDirectory::noted_events() const {
  return Sequence{one_number("select events from meta where one = 1")};
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
  SqliteSession session(connections_, version_);
  session.begin();
  // Removes deleted names from the search index for good.
  session.send("insert into user_search (user_search) values ('optimize')");
  session.commit(users::CachedRows::kStale);
  session.connection().rewrite(watched);
}

}  // namespace chirp::sqlite
