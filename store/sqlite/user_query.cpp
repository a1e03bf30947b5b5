// Reads the user directory: look-ups, walks, ad-hoc queries.
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "store/sqlite/search.h"
#include "store/sqlite/user_directory.h"
#include "store/sqlite/user_row.h"
#include "store/users/match.h"

namespace chirp::sqlite {
namespace {

std::vector<User> users_of(const Connection& connection, Rows& rows) {
  std::vector<User> users;
  while (rows.next()) users.push_back(user_of(connection, rows));
  return users;
}

// Returns a query's conditions as SQL. The values have fixed positions whether they are used or
// not, so the statements are few and stay prepared: 1 trigrams, 2 folded words, 3 e-mail, 4 since,
// 5 until, 6 after, 7 limit.
std::string list_sql(const UserQuery& query, const users::Plan& plan) {
  using users::ListWalk;
  using users::NameScope;
  const ListWalk walk = plan.walk;
  std::string rest =
      walk == ListWalk::kSignUps ? "INDEXED BY users_created_at WHERE true" : "WHERE true";
  // A plus sign stops SQLite from using the condition's index for the walk.
  const char* const created_at = walk == ListWalk::kSignUps ? "u.created_at" : "+u.created_at";
  if (walk == ListWalk::kTrigrams) {
    rest += " AND u.number IN (SELECT rowid FROM user_search WHERE user_search MATCH ?1)";
  }
  switch (plan.place) {
    case NameScope::kNowhere:
      break;
    case NameScope::kAnywhere:
      rest += " AND chirp_has(u.username || char(10) || coalesce(u.display_name, ''), ?2)";
      break;
    case NameScope::kUsernames:  // { sorts after every character of a username
      rest += " AND u.username >= ?2 AND u.username < ?2 || '{'";
      break;
    case NameScope::kDisplayNames:
      rest += " AND chirp_begins(coalesce(u.display_name, ''), ?2)";
      break;
  }
  if (query.email) rest += " AND u.email = ?3";
  if (query.since) rest += fmt::format(" AND {} >= ?4", created_at);
  if (query.until) rest += fmt::format(" AND {} < ?5", created_at);
  if (query.suspended) rest += " AND u.suspended = 1";
  if (query.after) rest += " AND u.username > ?6";
  return select_users(rest + " ORDER BY u.username LIMIT ?7");
}

std::optional<std::int64_t> ms_of(const std::optional<Time>& time) {
  if (!time) return std::nullopt;
  return time->ms;
}

class SqliteMatchCounts final : public users::MatchCounts {
 public:
  explicit SqliteMatchCounts(Connection& connection) : connection_(connection) {}

  [[nodiscard]] bool is_common(const std::vector<std::string>& texts) override {
    return sqlite::is_common(connection_, trigram_query(texts));
  }
  [[nodiscard]] bool are_few_sign_ups(const UserQuery& query) override {
    Rows rows = connection_.rows(
        "SELECT count(*) FROM (SELECT 1 FROM users WHERE created_at >= ?1 AND created_at < ?2 "
        "LIMIT ?3)",
        query.since ? query.since->ms : std::numeric_limits<std::int64_t>::min(),
        query.until ? query.until->ms : std::numeric_limits<std::int64_t>::max(),
        users::kFewSignUps + 1);
    return rows.next() && rows.integer(0) <= users::kFewSignUps;
  }

 private:
  Connection& connection_;
};

}  // namespace

std::optional<User> SqliteUserDirectory::look_up(const SoughtUser& who) const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  return user_sought(connection, who);
}

std::optional<std::string> SqliteUserDirectory::password_hash(UserNumber number) const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Rows rows = connection.rows("SELECT password FROM users WHERE number = ?1", number.value);
  if (!rows.next()) return std::nullopt;
  return rows.optional_text(0);
}

UserMatches SqliteUserDirectory::list(const UserQuery& query) const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  SqliteMatchCounts counts(connection);
  const users::Plan plan = users::plan_of(query, counts);
  std::optional<std::string> trigrams;
  if (!plan.walked.empty()) trigrams = trigram_query(plan.walked);
  std::optional<std::string> words;
  for (const std::string& word : plan.words) words = words ? *words + '\n' + word : word;
  Rows rows =
      connection.rows(list_sql(query, plan), trigrams, words, query.email, ms_of(query.since),
                      ms_of(query.until), query.after, std::int64_t{query.limit} + 1);
  UserMatches matches{users_of(connection, rows), false};
  if (matches.users.size() > query.limit) {
    matches.users.pop_back();
    matches.more = true;
  }
  return matches;
}

std::vector<User> SqliteUserDirectory::walk(UserNumber bound, Direction direction,
                                            std::uint32_t limit) const {
  static const std::string kUp = select_users("WHERE u.number > ?1 ORDER BY u.number LIMIT ?2");
  static const std::string kDown =
      select_users("WHERE u.number < ?1 ORDER BY u.number DESC LIMIT ?2");
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Rows rows = connection.rows(direction == Direction::kUp ? kUp : kDown, bound.value, limit);
  return users_of(connection, rows);
}

std::uint64_t SqliteUserDirectory::count() const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  Rows rows = connection.rows("SELECT count(*) FROM users");
  return rows.next() ? static_cast<std::uint64_t>(rows.integer(0)) : 0;
}

std::uint64_t SqliteUserDirectory::count_suspended() const {
  const auto lent = connections_.lend();
  Connection& connection = *lent;
  // Suspended users have their own index.
  Rows rows = connection.rows("SELECT count(*) FROM users WHERE suspended = 1");
  return rows.next() ? static_cast<std::uint64_t>(rows.integer(0)) : 0;
}

}  // namespace chirp::sqlite
