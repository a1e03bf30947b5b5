// Reading the user directory: look-ups, walks, ad-hoc queries.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/model/names.h"
#include "store/sqlite/search.h"
#include "store/sqlite/user_directory.h"
#include "store/sqlite/user_row.h"

namespace chirp::sqlite {
namespace {

std::vector<User> users_of(const Connection& connection, Rows& rows) {
  std::vector<User> users;
  while (rows.next()) users.push_back(user_of(connection, rows));
  return users;
}

// What a list walks: all names in order, or a few rows that are sorted afterwards.
enum class Walk : std::uint8_t { kNames, kTrigrams, kSignUps };

// A query's conditions as SQL. The values stand in fixed places whether they are used or not, so
// the statements are few and stay prepared: 1 trigrams, 2 folded part, 3 e-mail, 4 since, 5 until,
// 6 after, 7 limit.
std::string list_sql(const UserQuery& query, Walk walk) {
  std::string rest =
      walk == Walk::kSignUps ? "INDEXED BY users_created_at WHERE true" : "WHERE true";
  // A plus sign keeps a condition from being what is walked.
  const char* const created_at = walk == Walk::kSignUps ? "u.created_at" : "+u.created_at";
  if (walk == Walk::kTrigrams) {
    rest += " AND u.number IN (SELECT rowid FROM user_search WHERE user_search MATCH ?1)";
  }
  if (query.match) {
    rest += " AND (chirp_has(u.username, ?2) OR chirp_has(coalesce(u.display_name, ''), ?2))";
  }
  if (query.email) rest += " AND u.email = ?3";
  if (query.since) rest += fmt::format(" AND {} >= ?4", created_at);
  if (query.until) rest += fmt::format(" AND {} < ?5", created_at);
  if (query.after) rest += " AND u.username > ?6";
  return select_users(rest + " ORDER BY u.username LIMIT ?7");
}

std::optional<std::int64_t> ms_of(const std::optional<Time>& time) {
  if (!time) return std::nullopt;
  return time->ms;
}

// Whether so few signed up in the range that they are found by their times.
bool few_sign_ups(Connection& connection, const UserQuery& query) {
  constexpr std::int64_t kFew = 5000;
  Rows rows = connection.rows(
      "SELECT count(*) FROM (SELECT 1 FROM users WHERE created_at >= ?1 AND created_at < ?2 "
      "LIMIT ?3)",
      query.since ? query.since->ms : std::numeric_limits<std::int64_t>::min(),
      query.until ? query.until->ms : std::numeric_limits<std::int64_t>::max(), kFew + 1);
  return rows.next() && rows.integer(0) <= kFew;
}

Walk walk_of(Connection& connection, const UserQuery& query,
             const std::optional<std::string>& trigrams) {
  if (trigrams) return Walk::kTrigrams;
  if (query.email || (!query.since && !query.until)) return Walk::kNames;
  return few_sign_ups(connection, query) ? Walk::kSignUps : Walk::kNames;
}

}  // namespace

std::optional<User> SqliteUserDirectory::find(UserNumber number) const {
  return user_numbered(connection_, number);
}

std::optional<User> SqliteUserDirectory::find(UserId id) const {
  return user_with_id(connection_, id);
}

std::optional<User> SqliteUserDirectory::find_name(std::string_view username) const {
  return user_named(connection_, username);
}

std::optional<User> SqliteUserDirectory::find_email(std::string_view email) const {
  return user_with_email(connection_, email);
}

std::optional<std::string> SqliteUserDirectory::password_hash(UserNumber number) const {
  Rows rows = connection_.rows("SELECT password FROM users WHERE number = ?1", number.value);
  if (!rows.next()) return std::nullopt;
  return rows.optional_text(0);
}

UserMatches SqliteUserDirectory::list(const UserQuery& query) const {
  std::optional<std::string> part;
  std::optional<std::string> trigrams;
  if (query.match) {
    part = search_folded(*query.match);
    trigrams = trigram_query(*part);
  }
  const std::string sql = list_sql(query, walk_of(connection_, query, trigrams));
  Rows rows = connection_.rows(sql, trigrams, part, query.email, ms_of(query.since),
                               ms_of(query.until), query.after, std::int64_t{query.limit} + 1);
  UserMatches matches{users_of(connection_, rows), false};
  if (matches.users.size() > query.limit) {
    matches.users.pop_back();
    matches.more = true;
  }
  return matches;
}

std::vector<User> SqliteUserDirectory::scan(UserNumber after, std::uint32_t limit) const {
  static const std::string sql = select_users("WHERE u.number > ?1 ORDER BY u.number LIMIT ?2");
  Rows rows = connection_.rows(sql, after.value, limit);
  return users_of(connection_, rows);
}

std::vector<User> SqliteUserDirectory::newest(std::uint32_t limit) const {
  static const std::string sql = select_users("ORDER BY u.number DESC LIMIT ?1");
  Rows rows = connection_.rows(sql, limit);
  return users_of(connection_, rows);
}

std::uint64_t SqliteUserDirectory::count() const {
  Rows rows = connection_.rows("SELECT count(*) FROM users");
  return rows.next() ? static_cast<std::uint64_t>(rows.integer(0)) : 0;
}

}  // namespace chirp::sqlite
