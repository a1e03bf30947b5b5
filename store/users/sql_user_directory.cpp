#include "store/users/sql_user_directory.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "store/users/changes.h"
#include "store/users/user_row.h"

namespace chirp::users {
namespace {

// Loads settle so many cards at once; other work settles a few.
constexpr std::size_t kManyCards = 500;

UserNumber number_of(const SqlRows& rows, int column) {
  return UserNumber{static_cast<std::uint32_t>(rows.integer(column))};
}

std::uint64_t last_id_of(SqlSession& session) {
  const auto rows = session.rows(fmt::format("select last_id from {}", session.dialect().state));
  return rows->next() ? rows->natural(0) : 0;
}

}  // namespace

// ---- changes

template <class Rule>
auto SqlUserDirectory::change(CachedRows cached, SpaceUse use, SqlSession::Work work, Rule rule) {
  const auto session = lend(work);
  session->begin(SqlSession::Turn::kUsers, use);
  auto result = rule(session->users());
  session->commit(cached);
  return result;
}

User SqlUserDirectory::add(const NewUser& user, Time now) {
  return change(CachedRows::kValid, SpaceUse::kAdds, SqlSession::Work::kFew,
                [&](UserTable& table) { return users::add(table, machine_, user, now); });
}

std::vector<LoadedUserResult> SqlUserDirectory::load(std::span<const LoadedUser> users, Time now) {
  if (users.empty()) return {};
  return change(
      CachedRows::kStale, SpaceUse::kAdds, SqlSession::Work::kBulk, [&](UserTable& table) {
        auto results = users::load(table, machine_, users, now);
        const auto added =
            std::ranges::count(results, LoadedUserChange::kAdded, &LoadedUserResult::change);
        check_room(static_cast<std::size_t>(added));
        return results;
      });
}

std::vector<User> SqlUserDirectory::restore(std::span<const User> users) {
  return change(CachedRows::kStale, SpaceUse::kAdds, SqlSession::Work::kBulk,
                [&](UserTable& table) { return users::restore(table, machine_, users); });
}

User SqlUserDirectory::edit(UserNumber number, const UserEdit& edit) {
  return change(CachedRows::kStale, SpaceUse::kKeeps, SqlSession::Work::kFew,
                [&](UserTable& table) { return users::edit(table, number, edit); });
}

bool SqlUserDirectory::remove(UserNumber number) {
  return change(CachedRows::kStale, SpaceUse::kKeeps, SqlSession::Work::kFew,
                [&](UserTable& table) { return users::remove(table, machine_, number); });
}

bool SqlUserDirectory::replace_hash(UserNumber number, std::string_view before,
                                    std::string_view after) {
  const auto session = lend();
  session->begin(SqlSession::Turn::kUsers);
  const bool replaced = session->change(
                            "update users set password = $3::text "
                            "where number = $1::int8 and password = $2::text",
                            number.value, before, after) == 1;
  session->commit(replaced ? CachedRows::kStale : CachedRows::kValid);
  return replaced;
}

// ---- reading

std::optional<User> SqlUserDirectory::look_up(const SoughtUser& who) const {
  return user_sought(*lend(), who);
}

std::optional<std::string> SqlUserDirectory::password_hash(UserNumber number) const {
  const auto session = lend();
  const auto rows =
      session->rows("select password from users where number = $1::int8", number.value);
  return rows->next() ? rows->optional_text(0) : std::nullopt;
}

UserMatches SqlUserDirectory::list(const UserQuery& query) const {
  const auto session = lend();
  UserMatches matches{session->listed(query, plan_of(query, *session)), false};
  if (matches.users.size() > query.limit) {
    matches.users.pop_back();
    matches.more = true;
  }
  return matches;
}

std::vector<User> SqlUserDirectory::walk(UserNumber bound, Direction direction,
                                         std::uint32_t limit) const {
  static const std::string kUp =
      select_users("users u where u.number > $1::int8 order by u.number limit $2::int8");
  static const std::string kDown =
      select_users("users u where u.number < $1::int8 order by u.number desc limit $2::int8");
  const auto session = lend();
  return users_of(*session,
                  *session->rows(direction == Direction::kUp ? kUp : kDown, bound.value, limit));
}

std::uint64_t SqlUserDirectory::count_suspended() const {
  const auto session = lend();
  const auto rows = session->rows(
      fmt::format("select count(*) from users where {}", session->dialect().suspended));
  return rows->next() ? rows->natural(0) : 0;
}

std::uint64_t SqlUserDirectory::one_number(std::string_view sql) const {
  const auto session = lend();
  const auto rows = session->rows(sql);
  return rows->next() ? rows->natural(0) : 0;
}

// ---- due cards

std::vector<PendingCard> SqlUserDirectory::due_cards(std::uint32_t limit) const {
  const auto session = lend();
  const auto rows =
      session->rows("select due, number from due_cards order by due limit $1::int8", limit);
  std::vector<PendingCard> cards;
  while (rows->next()) cards.push_back({rows->natural(0), number_of(*rows, 1)});
  return cards;
}

bool SqlUserDirectory::is_card_due(UserNumber user) const {
  return lend()->rows("select 1 from due_cards where number = $1::int8", user.value)->next();
}

void SqlUserDirectory::settle_cards(std::span<const PendingCard> settled) {
  if (settled.empty()) return;
  const auto session =
      lend(settled.size() >= kManyCards ? SqlSession::Work::kBulk : SqlSession::Work::kFew);
  session->begin(SqlSession::Turn::kNone);
  // The cards of a load have consecutive numbers.
  for (std::size_t i = 0; i < settled.size();) {
    std::size_t end = i + 1;
    while (end < settled.size() && settled[end].due == settled[end - 1].due + 1) ++end;
    session->send("delete from due_cards where due between $1::int8 and $2::int8", settled[i].due,
                  settled[end - 1].due);
    i = end;
  }
  session->commit(CachedRows::kValid);
}

// ---- removals in progress

// On PostgreSQL it locks the user's row, so this waits for uploads that are being kept.
void SqlUserDirectory::set_leaving(UserNumber number, bool leaving) {
  const auto session = lend();
  session->begin(SqlSession::Turn::kUsers);
  const std::int64_t changed =
      leaving ? session->change(fmt::format("insert into leaving (number) select number from users "
                                            "where number = $1::int8{} on conflict do nothing",
                                            session->dialect().for_update),
                                number.value)
              : session->change("delete from leaving where number = $1::int8", number.value);
  session->commit(changed == 1 ? CachedRows::kStale : CachedRows::kValid);
}

std::vector<UserNumber> SqlUserDirectory::removals() const {
  const auto session = lend();
  const auto rows = session->rows("select number from leaving order by number");
  std::vector<UserNumber> numbers;
  while (rows->next()) numbers.push_back(number_of(*rows, 0));
  return numbers;
}

// ---- checking

std::uint64_t SqlUserDirectory::floor_of_ids() const { return last_id_of(*lend()); }

// Reads a thousand users at a time, so that SQLite can move its log into the file in between.
void SqlUserDirectory::check_rows(std::uint64_t known, Problems& problems) const {
  const auto session = lend();
  const std::string_view searched = session->dialect().select_searched;
  const std::string sql =
      select_users("users u where u.number > $1::int8 order by u.number limit 1000",
                   fmt::format(", u.password{}", searched));
  const auto check_row = [&](const SqlRows& rows) {
    const User user = user_of(*session, rows);
    const auto floor = [&] {
      return user.id.value <= known ? known : known = last_id_of(*session);
    };
    check_user(user, rows.optional_text(kUserColumns), floor, problems);
    if (searched.empty() || rows.text(kUserColumns + 1) == searched_text(user)) return;
    problems.add(fmt::format("user {} ({}): the search among names has others of them",
                             user.id.value, user.username));
  };
  for (std::int64_t after = 0, before = -1; after != before;) {
    before = after;
    const auto rows = session->rows(sql, after);
    while (rows->next()) {
      after = rows->integer(0);
      problems.collect("a user", [&] { check_row(*rows); });
    }
  }
}

}  // namespace chirp::users
