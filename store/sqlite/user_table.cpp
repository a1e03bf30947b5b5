#include "store/sqlite/user_table.h"

#include <algorithm>

#include "store/sqlite/search.h"
#include "store/sqlite/session.h"
#include "store/users/user_row.h"

namespace chirp::sqlite {
namespace {

constexpr std::size_t kLoadedAtOnce = 64;
constexpr std::size_t kLoadedColumns = 8;

std::string sql_of_many() {
  std::string text =
      "insert into users (id, username, display_name, bio, created_at, source_id, source_word, "
      "name_origin) values ";
  for (std::size_t i = 0; i < kLoadedAtOnce; ++i) {
    text += i == 0 ? "(?, ?, ?, ?, ?, ?, ?, ?)" : ", (?, ?, ?, ?, ?, ?, ?, ?)";
  }
  return text;
}

// Whether these columns are all that the user has.
bool fits_statement_of_many(const User& user) {
  return !user.email && user.picture == MediaId{} && !user.suspended && !user.old_name;
}

}  // namespace

SqliteUserTable::SqliteUserTable(SqliteSession& session)
    : SqlUserTable(session), connection_(session.connection()) {}

void SqliteUserTable::index_inserted() {
  if (first_) index_users_above(connection_, UserNumber{first_->value - 1});
  first_.reset();
}

// ---- rows

std::optional<UserNumber> SqliteUserTable::insert(const User& user,
                                                  const std::optional<std::string>& password_hash) {
  Rows row = connection_.rows(
      "insert into users (id, username, email, password, display_name, bio, created_at, source_id, "
      "source_word, name_origin, picture, suspended, old_name, old_name_until) "
      "values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
      user.id.value, user.username, user.email, password_hash, users::stored_display_name(user),
      user.bio, user.created_at.ms, users::stored_source_id(user), users::stored_source_word(user),
      static_cast<std::int64_t>(user.name_origin), users::stored_picture(user),
      std::int64_t{user.suspended}, users::stored_old_name(user),
      users::stored_old_name_until(user));
  if (!row.run_unless_taken()) return std::nullopt;
  const UserNumber number{static_cast<std::uint32_t>(connection_.last_row_number())};
  if (!first_) first_ = number;
  return number;
}

bool SqliteUserTable::insert_many(std::span<User> users) {
  static const std::string kSql = sql_of_many();
  if (users.size() != kLoadedAtOnce || !std::ranges::all_of(users, fits_statement_of_many))
    return false;
  std::vector<users::SqlValue> values;
  values.reserve(kLoadedAtOnce * kLoadedColumns);
  for (const User& user : users) {
    values.insert(values.end(),
                  {user.id.value, user.username, users::stored_display_name(user), user.bio,
                   user.created_at.ms, users::stored_source_id(user),
                   users::stored_source_word(user), static_cast<std::int64_t>(user.name_origin)});
  }
  if (!connection_.rows_of(kSql, values).run_unless_taken()) return false;
  // Each row gets the number after the highest ever used.
  std::int64_t number = connection_.last_row_number() - static_cast<std::int64_t>(users.size());
  for (User& user : users) user.number = UserNumber{static_cast<std::uint32_t>(++number)};
  if (!first_) first_ = users.front().number;
  return true;
}

std::size_t SqliteUserTable::most_at_once() const { return kLoadedAtOnce; }

void SqliteUserTable::replace(const User& before, const User& after) {
  const bool renamed =
      before.username != after.username || before.display_name != after.display_name;
  const bool searched = renamed && (!first_ || after.number < *first_);
  if (searched) unindex_user(connection_, after.number);
  SqlUserTable::replace(before, after);
  if (searched) index_user(connection_, after.number);
}

void SqliteUserTable::erase(const User& user) {
  unindex_user(connection_, user.number);
  SqlUserTable::erase(user);
}

// ---- due cards

std::uint64_t SqliteUserTable::note_due_card(UserNumber user) {
  connection_.run("insert or replace into due_cards (number) values (?1)", user.value);
  return static_cast<std::uint64_t>(connection_.last_row_number());
}

std::uint64_t SqliteUserTable::note_due_cards_from(UserNumber first) {
  connection_.run(
      "insert or replace into due_cards (number) "
      "select number from users where number >= ?1 order by number",
      first.value);
  return static_cast<std::uint64_t>(connection_.last_row_number());
}

// ---- ids

std::uint64_t SqliteUserTable::last_id() {
  Rows rows = connection_.rows("select last_id from meta where one = 1");
  if (!rows.next()) return 0;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(rows.integer(0), 0));
}

void SqliteUserTable::set_last_id(std::uint64_t id) {
  connection_.run("update meta set last_id = ?1 where one = 1", id);
}

std::vector<std::uint64_t> SqliteUserTable::highest_loaded(std::span<const std::uint64_t> ticks) {
  std::vector<std::uint64_t> highest;
  for (const std::uint64_t tick : ticks) {
    const std::uint64_t low = snowflake::make(tick, snowflake::kLoadMachine, 0);
    Rows rows = connection_.rows(
        "select max(coalesce((select max(id) from users where id between ?1 and ?2), 0), "
        "coalesce((select max(id) from retired_ids where id between ?1 and ?2), 0))",
        low, low + snowflake::kSequences - 1);
    highest.push_back(rows.next() ? rows.natural(0) : 0);
  }
  return highest;
}

}  // namespace chirp::sqlite
