#include "store/sqlite/user_directory.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/model/names.h"
#include "core/model/taken.h"
#include "store/sqlite/due_cards.h"
#include "store/sqlite/id_mint.h"
#include "store/sqlite/search.h"
#include "store/sqlite/tokens.h"
#include "store/sqlite/user_row.h"

namespace chirp::sqlite {
namespace {

void set_picture(Connection& connection, UserNumber number, MediaId picture) {
  if (picture == MediaId{}) {
    return connection.run("UPDATE users SET picture = NULL WHERE number = ?1", number.value);
  }
  connection.run(
      "UPDATE users SET picture = ?2 WHERE number = ?1 AND EXISTS "
      "(SELECT 1 FROM media WHERE id = ?2 AND owner = ?1 AND idle_since > 0)",
      number.value, picture.value);
  if (connection.changed() == 1) return;
  throw Error(ErrorCode::kNotFound, fmt::format("{} is no upload of theirs.", picture.value),
              "picture");
}

// Says which value of a user that could not be inserted is taken.
[[noreturn]] void refuse_taken(Connection& connection, const User& user) {
  if (user_named(connection, user.username)) throw username_taken(user.username);
  if (user.email && user_with_email(connection, *user.email)) throw email_taken(*user.email);
  throw Error(ErrorCode::kAlreadyExists,
              fmt::format("The user {} has an id that is there already ({}). Nothing was changed.",
                          user.username, user.id.value),
              "id");
}

// Whether somebody else has the username of a user, or had it and is still found by it.
bool is_name_of_another(Connection& connection, const User& user, Time now) {
  const auto bearer = user_named(connection, user.username);
  const auto former = user_formerly_named(connection, user.username, now);
  return (bearer && bearer->number != user.number) || (former && former->number != user.number);
}

// A display name that only repeats the username goes along with it.
void rename(Connection& connection, User& user, const Rename& rename) {
  check_username(rename.username);
  check_rename(user, rename.username, rename.at);
  const bool is_other_name = !is_same_username(user.username, rename.username);
  const bool nameless = user.display_name == user.username;
  const OldName old_name{user.username, Time{rename.at.ms + limits::kOldNameMs}};
  user.username = rename.username;
  if (is_name_of_another(connection, user, rename.at)) throw username_taken(user.username);
  if (nameless) user.display_name = user.username;
  user.name_origin = NameOrigin::kOwn;
  if (is_other_name) user.old_name = old_name;
  unindex_user(connection, user.number);
  connection.run(
      "UPDATE users SET username = ?2, display_name = ?3, name_origin = ?4 WHERE number = ?1",
      user.number.value, user.username, stored_display_name(user),
      static_cast<std::int64_t>(user.name_origin));
  if (is_other_name) put_old_name(connection, user.number, old_name);
  index_user(connection, user.number);
}

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
  check_username(user.username);
  Transaction transaction(connection);
  IdMint ids(connection, identity_.machine);
  User added;
  added.id = ids.live(now);
  added.username = user.username;
  added.email = user.email;
  added.display_name = user.display_name.value_or(user.username);
  added.bio = user.bio;
  added.created_at = now;
  added.has_password = user.password_hash.has_value();
  const auto number = insert_user(connection, added, user.password_hash);
  if (!number) refuse_taken(connection, added);
  if (user_formerly_named(connection, added.username, now)) throw username_taken(added.username);
  added.number = *number;
  index_user(connection, added.number);
  (void)note_due_card(connection, added.number);
  ids.raise_floor(added.id);
  ids.save();
  version_.commit_unmoved(transaction);
  return added;
}

std::vector<User> SqliteUserDirectory::restore(std::span<const User> users) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection);
  IdMint ids(connection, identity_.machine);
  std::vector<User> restored(users.begin(), users.end());
  std::optional<UserNumber> first;
  for (User& user : restored) {
    check_username(user.username);
    user.has_password = false;  // an export holds none
    const auto number = insert_user(connection, user, std::nullopt);
    if (!number) refuse_taken(connection, user);
    user.number = *number;
    if (user.old_name) put_old_name(connection, user.number, *user.old_name);
    if (!first) first = number;
    ids.raise_floor(user.id);
  }
  if (first) index_users_above(connection, UserNumber{first->value - 1});
  ids.save();
  transaction.commit();
  return restored;
}

User SqliteUserDirectory::edit(UserNumber number, const UserEdit& edit) {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Transaction transaction(connection);
  std::optional<User> user = user_numbered(connection, number);
  if (!user) {
    throw Error(ErrorCode::kNotFound, "That user is not there any more. Nothing was changed.");
  }
  if (edit.email) {
    user->email = edit.email->empty() ? std::nullopt : edit.email;
    if (!connection.run_unless_taken("UPDATE users SET email = ?2 WHERE number = ?1", number.value,
                                     user->email)) {
      throw email_taken(*user->email);
    }
  }
  if (edit.display_name) {
    unindex_user(connection, number);
    user->display_name = *edit.display_name;
    connection.run("UPDATE users SET display_name = ?2 WHERE number = ?1", number.value,
                   stored_display_name(*user));
    index_user(connection, number);
  }
  if (edit.bio) {
    user->bio = *edit.bio;
    connection.run("UPDATE users SET bio = ?2 WHERE number = ?1", number.value, user->bio);
  }
  if (edit.password_hash) {
    user->has_password = true;
    connection.run("UPDATE users SET password = ?2 WHERE number = ?1", number.value,
                   *edit.password_hash);
    forget_tokens(connection, number, edit.kept_token);
  }
  if (edit.picture) {
    user->picture = *edit.picture;
    set_picture(connection, number, *edit.picture);
  }
  if (edit.suspended) {
    user->suspended = *edit.suspended;
    connection.run("UPDATE users SET suspended = ?2 WHERE number = ?1", number.value,
                   std::int64_t{user->suspended});
  }
  if (edit.rename) rename(connection, *user, *edit.rename);
  if (edit.display_name || edit.picture || edit.suspended || edit.rename) {
    (void)note_due_card(connection, number);
  }
  transaction.commit();
  return *std::move(user);
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
  const std::optional<User> user = user_numbered(connection, number);
  if (!user) return false;
  IdMint ids(connection, identity_.machine);
  ids.retire(user->id);
  ids.save();
  unindex_user(connection, number);
  connection.run("DELETE FROM users WHERE number = ?1", number.value);
  transaction.commit();
  return true;
}

// ---- removals under way

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
    // Nothing was written since the log's index was made. What stays as it is would not be, either.
    const auto lent = connections_.lend();
    Connection& connection = *lent;
    Transaction transaction(connection);
    connection.run("UPDATE meta SET events = events + 1 WHERE one = 1");
    connection.run("UPDATE meta SET events = events - 1 WHERE one = 1");
    transaction.commit();
  } catch (const Error&) {
    // Then each look goes to the file.
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

// Who reads from one thread borrows the same connection again and again.
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

void SqliteUserDirectory::compact() {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  {
    Transaction transaction(connection);
    // Merges away what the search still holds of names that are gone.
    connection.run("INSERT INTO user_search (user_search) VALUES ('optimize')");
    transaction.commit();
  }
  connection.rewrite();
}

}  // namespace chirp::sqlite
