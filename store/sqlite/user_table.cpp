#include "store/sqlite/user_table.h"

#include <algorithm>

#include "store/sqlite/due_cards.h"
#include "store/sqlite/search.h"
#include "store/sqlite/tokens.h"
#include "store/sqlite/user_row.h"
#include "store/users/stored_user.h"

namespace chirp::sqlite {

void SqliteUserTable::index_inserted() {
  if (first_) index_users_above(connection_, UserNumber{first_->value - 1});
  first_.reset();
}

bool SqliteUserTable::is_indexed(UserNumber user) const { return !first_ || user < *first_; }

std::optional<User> SqliteUserTable::look_up(const SoughtUser& who) {
  return user_sought(connection_, who);
}

std::optional<User> SqliteUserTable::sourced(const SourceKey& source) {
  return user_with_source(connection_, source);
}

bool SqliteUserTable::has_old_names(Time now) {
  Rows rows = connection_.rows(
      "SELECT 1 FROM users WHERE old_name IS NOT NULL AND old_name_until > ?1 LIMIT 1", now.ms);
  return rows.next();
}

bool SqliteUserTable::has_upload(UserNumber owner, MediaId upload) {
  Rows rows =
      connection_.rows("SELECT 1 FROM media WHERE id = ?2 AND owner = ?1 AND idle_since > 0",
                       owner.value, upload.value);
  return rows.next();
}

// ---- rows

std::optional<UserNumber> SqliteUserTable::insert(const User& user,
                                                  const std::optional<std::string>& password_hash) {
  const auto number = insert_user(connection_, user, password_hash);
  if (number && !first_) first_ = number;
  return number;
}

bool SqliteUserTable::insert_many(std::span<User> users) {
  const auto is_loaded = [](const User& user) {
    return !user.email && user.picture == MediaId{} && !user.suspended && !user.old_name;
  };
  if (users.size() != kLoadedAtOnce || !std::ranges::all_of(users, is_loaded)) return false;
  if (!insert_loaded(connection_, users)) return false;
  if (!first_) first_ = users.front().number;
  return true;
}

std::size_t SqliteUserTable::most_at_once() const { return kLoadedAtOnce; }

void SqliteUserTable::replace(const User& before, const User& after) {
  const bool renamed =
      before.username != after.username || before.display_name != after.display_name;
  const bool searched = renamed && is_indexed(after.number);
  if (searched) unindex_user(connection_, after.number);
  connection_.run(
      "UPDATE users SET username = ?2, email = ?3, display_name = ?4, bio = ?5, name_origin = ?6, "
      "picture = ?7, suspended = ?8 WHERE number = ?1",
      after.number.value, after.username, after.email, users::stored_display_name(after), after.bio,
      static_cast<std::int64_t>(after.name_origin), users::stored_picture(after),
      std::int64_t{after.suspended});
  if (after.old_name && after.old_name != before.old_name) {
    connection_.run("UPDATE users SET old_name = ?2, old_name_until = ?3 WHERE number = ?1",
                    after.number.value, after.old_name->username, after.old_name->until.ms);
  }
  if (searched) index_user(connection_, after.number);
}

void SqliteUserTable::free_old_name(std::string_view name) {
  connection_.run("UPDATE users SET old_name = NULL, old_name_until = NULL WHERE old_name = ?1",
                  name);
}

void SqliteUserTable::set_password(UserNumber user, std::string_view hash) {
  connection_.run("UPDATE users SET password = ?2 WHERE number = ?1", user.value, hash);
}

void SqliteUserTable::forget_tokens(UserNumber user, std::string_view kept) {
  sqlite::forget_tokens(connection_, user, kept);
}

void SqliteUserTable::erase(const User& user) {
  unindex_user(connection_, user.number);
  connection_.run("DELETE FROM users WHERE number = ?1", user.number.value);
}

std::uint64_t SqliteUserTable::note_due_card(UserNumber user) {
  return sqlite::note_due_card(connection_, user);
}

std::uint64_t SqliteUserTable::note_due_cards_from(UserNumber first) {
  return sqlite::note_due_cards_from(connection_, first);
}

// ---- ids

std::uint64_t SqliteUserTable::last_id() {
  Rows rows = connection_.rows("SELECT last_id FROM meta WHERE one = 1");
  if (!rows.next()) return 0;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(rows.integer(0), 0));
}

void SqliteUserTable::set_last_id(std::uint64_t id) {
  connection_.run("UPDATE meta SET last_id = ?1 WHERE one = 1", id);
}

std::vector<std::uint64_t> SqliteUserTable::highest_loaded(std::span<const std::uint64_t> ticks) {
  std::vector<std::uint64_t> highest;
  for (const std::uint64_t tick : ticks) {
    const std::uint64_t low = snowflake::make(tick, snowflake::kLoadMachine, 0);
    Rows rows = connection_.rows(
        "SELECT max(coalesce((SELECT max(id) FROM users WHERE id BETWEEN ?1 AND ?2), 0), "
        "coalesce((SELECT max(id) FROM retired_ids WHERE id BETWEEN ?1 AND ?2), 0))",
        low, low + snowflake::kSequences - 1);
    highest.push_back(rows.next() ? static_cast<std::uint64_t>(rows.integer(0)) : 0);
  }
  return highest;
}

void SqliteUserTable::retire(UserId id) {
  connection_.run("INSERT OR IGNORE INTO retired_ids (id) VALUES (?1)", id.value);
}

}  // namespace chirp::sqlite
