#include "store/sqlite/session.h"

#include <filesystem>

#include <fmt/format.h>

#include "store/sqlite/errors.h"
#include "store/sqlite/search.h"
#include "store/users/user_row.h"

namespace chirp::sqlite {
namespace {

constexpr users::Dialect kDialect{.state = "meta",
                                  .token_user = "user",
                                  .suspended = "suspended = 1",
                                  .lower = "",
                                  .for_update = "",
                                  .not_doomed = " and idle_since > 0",
                                  .select_searched = "",
                                  .set_searched = ""};

// Empties the log when it is so long that the last commit has copied it into the file.
void end_long_log(Connection& connection) {
  constexpr std::uintmax_t kLongBytes = std::uintmax_t{32} << 20;
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(connection.file().string() + "-wal", unknown);
  if (!unknown && bytes >= kLongBytes) connection.try_checkpoint();
}

// Returns a query's conditions as SQL. The values have fixed positions whether they are used or
// not, so the statements are few and stay prepared: 1 trigrams, 2 folded words, 3 e-mail, 4 since,
// 5 until, 6 after, 7 limit.
std::string list_sql(const UserQuery& query, const users::Plan& plan) {
  using users::ListWalk;
  using users::NameScope;
  const ListWalk walk = plan.walk;
  std::string rest = walk == ListWalk::kSignUps ? "users u indexed by users_created_at where true"
                                                : "users u where true";
  // A plus sign stops SQLite from using the condition's index for the walk.
  const char* const created_at = walk == ListWalk::kSignUps ? "u.created_at" : "+u.created_at";
  if (walk == ListWalk::kTrigrams) {
    rest += " and u.number in (select rowid from user_search where user_search match ?1)";
  }
  switch (plan.place) {
    case NameScope::kNowhere:
      break;
    case NameScope::kAnywhere:
      rest += " and chirp_has(u.username || char(10) || coalesce(u.display_name, ''), ?2)";
      break;
    case NameScope::kUsernames:  // { sorts after every character of a username
      rest += " and u.username >= ?2 and u.username < ?2 || '{'";
      break;
    case NameScope::kDisplayNames:
      rest += " and chirp_begins(coalesce(u.display_name, ''), ?2)";
      break;
  }
  if (query.email) rest += " and u.email = ?3";
  if (query.since) rest += fmt::format(" and {} >= ?4", created_at);
  if (query.until) rest += fmt::format(" and {} < ?5", created_at);
  if (query.suspended) rest += " and u.suspended = 1";
  if (query.after) rest += " and u.username > ?6";
  return users::select_users(rest + " order by u.username limit ?7");
}

std::optional<std::int64_t> ms_of(const std::optional<Time>& time) {
  if (!time) return std::nullopt;
  return time->ms;
}

}  // namespace

SqliteSession::SqliteSession(Connections& connections, FileVersion& version, Work work)
    : lent_(connections), version_(version) {
  if (work == Work::kBulk) loading_.emplace(*lent_);
}

void SqliteSession::begin(Turn /*turn*/, SpaceUse use) {
  if (transaction_) return;
  transaction_.emplace(*lent_, use);
  table_.emplace(*this);
}

void SqliteSession::commit(users::CachedRows cached) {
  table_->index_inserted();
  if (cached == users::CachedRows::kStale) {
    transaction_->commit();
  } else {
    version_.commit_unmoved(*transaction_);
  }
  transaction_.reset();
  if (loading_) end_long_log(*lent_);
}

bool SqliteSession::is_common(const std::vector<std::string>& texts) {
  return sqlite::is_common(*lent_, trigram_query(texts));
}

std::vector<User> SqliteSession::listed(const UserQuery& query, const users::Plan& plan) {
  std::optional<std::string> trigrams;
  if (!plan.walked.empty()) trigrams = trigram_query(plan.walked);
  std::optional<std::string> words;
  for (const std::string& word : plan.words) words = words ? *words + '\n' + word : word;
  Rows rows = (*lent_).rows(list_sql(query, plan), trigrams, words, query.email, ms_of(query.since),
                            ms_of(query.until), query.after, std::int64_t{query.limit} + 1);
  return users::users_of(*this, rows);
}

const users::Dialect& SqliteSession::dialect() const { return kDialect; }

Error SqliteSession::damage(std::string_view fault) const {
  return corrupt(fault, connection().file());
}

std::unique_ptr<users::SqlRows> SqliteSession::query(std::string_view sql,
                                                     std::span<const users::SqlValue> values) {
  return std::unique_ptr<users::SqlRows>(new Rows((*lent_).rows_of(sql, values)));
}

std::int64_t SqliteSession::run(std::string_view sql, std::span<const users::SqlValue> values) {
  Rows rows = (*lent_).rows_of(sql, values);
  while (rows.next()) {
  }
  return (*lent_).changed();
}

void SqliteSession::enqueue(std::string_view sql, std::span<const users::SqlValue> values) {
  (void)run(sql, values);
}

}  // namespace chirp::sqlite
