#include "store/postgres/users/users.h"

#include <algorithm>
#include <utility>

#include "store/postgres/cluster/published.h"
#include "store/postgres/users/session.h"
#include "store/postgres/users/users_state.h"
#include "store/users/match.h"
#include "store/users/user_row.h"

namespace chirp::postgres {
namespace {

void check_state(Connection& connection, users::Problems& problems) {
  const Result state = connection.run(
      "select present = (select count(*) from users), last_number >= "
      "coalesce((select max(number) from users), 0), last_due >= "
      "coalesce((select max(due) from due_cards), 0) from users_state");
  if (state.empty()) return problems.add("the table users_state has no row");
  if (state.number(0, 0) == 0) problems.add("the number of users is not that of their rows");
  if (state.number(0, 1) == 0) problems.add("a user has a number that was never given");
  if (state.number(0, 2) == 0) problems.add("a due card has a number that was never given");
}

}  // namespace

std::unique_ptr<users::SqlSession> PostgresUserDirectory::lend(
    users::SqlSession::Work /*work*/) const {
  return std::make_unique<PostgresSession>(connections_, held_);
}

std::uint64_t PostgresUserDirectory::count() const {
  return one_number("select present from users_state");
}

std::optional<std::uint64_t> PostgresUserDirectory::version() const {
  return version_ ? version_() : std::nullopt;
}

std::uint64_t PostgresUserDirectory::users_version() const {
  return users_version_of(connections_, one_number(kUsersVersion));
}

UserNumber PostgresUserDirectory::last_number() const {
  return UserNumber{static_cast<std::uint32_t>(one_number("select last_number from users_state"))};
}

void PostgresUserDirectory::hold() {
  held_.emplace(connections_);
  (*held_)->begin_reading();
  (void)(*held_)->run("select 1");  // the first statement fixes the state
}

// ---- checks

std::vector<std::string> PostgresUserDirectory::problems() const {
  users::Problems problems;
  check_state(PostgresSession(connections_, held_).connection(), problems);
  check_rows(floor_of_ids(), problems);
  return std::move(problems).take();
}

void PostgresUserDirectory::rebuild_indexes() {
  static const std::string kSql = users::select_users(
      "users u where u.number > $1::int8 order by u.number limit 1000", ", u.searched");
  PostgresSession session(connections_, held_);
  session.begin();
  session.send("reindex table users");
  for (std::int64_t after = 0, before = -1; after != before;) {
    before = after;
    const auto rows = session.rows(kSql, after);
    while (rows->next()) {
      after = rows->integer(0);
      const std::string searched = users::searched_text(users::user_of(session, *rows));
      if (rows->text(users::kUserColumns) == searched) continue;
      session.send("update users set searched = $2::text where number = $1::int8", after, searched);
    }
  }
  const auto highest = session.rows(
      "select count(*), max(number), (select max(due) from due_cards), "
      "max(id) filter (where (id >> 12) & 1023 <> $1::int8) from users",
      snowflake::kLoadMachine);
  (void)highest->next();
  UsersState& state = session.users().state();
  state.present = highest->integer(0);
  state.last_number = std::max(state.last_number, highest->integer(1));
  state.last_due = std::max(state.last_due, highest->integer(2));
  state.last_id = std::max(state.last_id, highest->integer(3));
  session.commit(users::CachedRows::kStale);
}

}  // namespace chirp::postgres
