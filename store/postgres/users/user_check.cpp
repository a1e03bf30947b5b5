// Checks the users of a database, and rebuilds derived data.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "store/postgres/users/user_row.h"
#include "store/postgres/users/user_table.h"
#include "store/postgres/users/users.h"
#include "store/users/match.h"
#include "store/users/problems.h"

namespace chirp::postgres {
namespace {

constexpr int kPasswordColumn = kUserColumns;
constexpr int kSearchedColumn = kUserColumns + 1;

// Reads up to a thousand users above a number, with password and searched text.
Result rows_above(Connection& connection, std::int64_t number) {
  static const std::string sql = [] {
    std::string text =
        select_users("users u where u.number > $1::int8 order by u.number limit 1000");
    return text.insert(text.find(" from "), ", u.password, u.searched");
  }();
  return connection.run(sql, Params().int8(number));
}

std::uint64_t floor_of_ids(Connection& connection) {
  return static_cast<std::uint64_t>(connection.run("select last_id from users_state").number(0, 0));
}

void check_row(Connection& connection, const Result& rows, int row, std::uint64_t& known,
               users::Problems& problems) {
  const User user = user_of(rows, row);
  const auto floor = [&] {
    return user.id.value <= known ? known : known = floor_of_ids(connection);
  };
  std::optional<std::string> hash;
  if (!rows.is_null(row, kPasswordColumn)) hash = rows.text(row, kPasswordColumn);
  users::check_user(user, hash, floor, problems);
  if (rows.bytes(row, kSearchedColumn) == users::searched_text(user)) return;
  problems.add(fmt::format("user {} ({}): the search among names has others of them", user.id.value,
                           user.username));
}

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

std::vector<std::string> PostgresUserDirectory::problems() const {
  const auto lent = lend();
  users::Problems problems;
  check_state(*lent, problems);
  std::uint64_t known = floor_of_ids(*lent);
  for (std::int64_t after = 0;;) {
    const Result rows = rows_above(*lent, after);
    if (rows.empty()) break;
    for (int row = 0; row < rows.rows(); ++row) {
      problems.collect("a user", [&] { check_row(*lent, rows, row, known, problems); });
    }
    after = rows.number(rows.rows() - 1, 0);
  }
  return std::move(problems).take();
}

void PostgresUserDirectory::rebuild_indexes() {
  const auto lent = lend();
  Connection& connection = *lent;
  UsersTransaction transaction(connections_, connection);
  connection.send("reindex table users");
  for (std::int64_t after = 0;;) {
    const Result rows = rows_above(connection, after);
    if (rows.empty()) break;
    for (int row = 0; row < rows.rows(); ++row) {
      const std::string searched = users::searched_text(user_of(rows, row));
      if (rows.bytes(row, kSearchedColumn) == searched) continue;
      connection.send("update users set searched = $2::text where number = $1::int8",
                      Params().int8(rows.number(row, 0)).text(searched));
    }
    after = rows.number(rows.rows() - 1, 0);
  }
  const Result highest = connection.run(
      "select count(*), max(number), (select max(due) from due_cards), "
      "max(id) filter (where (id >> 12) & 1023 <> $1::int8) from users",
      Params().int8(snowflake::kLoadMachine));
  UsersState& state = transaction.state();
  state.present = highest.number(0, 0);
  state.last_number = std::max(state.last_number, highest.number(0, 1));
  state.last_due = std::max(state.last_due, highest.number(0, 2));
  state.last_id = std::max(state.last_id, highest.number(0, 3));
  transaction.commit(UsersTransaction::Change::kMoved);
}

}  // namespace chirp::postgres
