#include "store/postgres/users/users.h"

#include <utility>

#include "core/error.h"
#include "store/postgres/cluster/published.h"
#include "store/postgres/users/user_row.h"
#include "store/postgres/users/user_table.h"
#include "store/users/changes.h"

namespace chirp::postgres {
namespace {

UserNumber number_at(const Result& result, int row, int column) {
  return UserNumber{static_cast<std::uint32_t>(result.number(row, column))};
}

}  // namespace

PostgresUserDirectory::Lent::Lent(const PostgresUserDirectory& users) {
  if (!users.held_) loan_.emplace(users.connections_);
  connection_ = &**(users.held_ ? users.held_ : loan_);
}

// ---- changes

template <class Rule>
auto PostgresUserDirectory::in_turn(UsersTransaction::Change change, Rule rule) {
  const auto lent = lend();
  UsersTransaction transaction(connections_, *lent);
  PostgresUserTable table(*lent, transaction.state());
  auto result = rule(table);
  transaction.commit(change);
  return result;
}

User PostgresUserDirectory::add(const NewUser& user, Time now) {
  return in_turn(UsersTransaction::Change::kNone,
                 [&](PostgresUserTable& table) { return users::add(table, machine_, user, now); });
}

std::vector<LoadedUserResult> PostgresUserDirectory::load(std::span<const LoadedUser> users,
                                                          Time now) {
  if (users.empty()) return {};
  return in_turn(UsersTransaction::Change::kMoved, [&](PostgresUserTable& table) {
    return users::load(table, machine_, users, now);
  });
}

std::vector<User> PostgresUserDirectory::restore(std::span<const User> users) {
  return in_turn(UsersTransaction::Change::kMoved,
                 [&](PostgresUserTable& table) { return users::restore(table, machine_, users); });
}

User PostgresUserDirectory::edit(UserNumber number, const UserEdit& edit) {
  return in_turn(UsersTransaction::Change::kMoved,
                 [&](PostgresUserTable& table) { return users::edit(table, number, edit); });
}

bool PostgresUserDirectory::remove(UserNumber number) {
  return in_turn(UsersTransaction::Change::kMoved,
                 [&](PostgresUserTable& table) { return users::remove(table, machine_, number); });
}

bool PostgresUserDirectory::replace_hash(UserNumber number, std::string_view before,
                                         std::string_view after) {
  const auto lent = lend();
  UsersTransaction transaction(connections_, *lent);
  const Result replaced = lent->run(
      "update users set password = $3::text where number = $1::int8 and password = $2::text",
      Params().int8(number.value).text(before).text(after));
  transaction.commit(replaced.changed() == 1 ? UsersTransaction::Change::kMoved
                                             : UsersTransaction::Change::kNone);
  return replaced.changed() == 1;
}

// ---- reading

std::optional<User> PostgresUserDirectory::look_up(const SoughtUser& who) const {
  const auto lent = lend();
  return user_sought(*lent, who);
}

std::optional<std::string> PostgresUserDirectory::password_hash(UserNumber number) const {
  const auto lent = lend();
  const Result found =
      lent->run("select password from users where number = $1::int8", Params().int8(number.value));
  if (found.empty() || found.is_null(0, 0)) return std::nullopt;
  return found.text(0, 0);
}

std::vector<User> PostgresUserDirectory::walk(UserNumber bound, Direction direction,
                                              std::uint32_t limit) const {
  static const std::string kUp =
      select_users("users u where u.number > $1::int8 order by u.number limit $2::int8");
  static const std::string kDown =
      select_users("users u where u.number < $1::int8 order by u.number desc limit $2::int8");
  const auto lent = lend();
  return users_of(
      lent->run(direction == Direction::kUp ? kUp : kDown, Params().int8(bound.value).int8(limit)));
}

std::uint64_t PostgresUserDirectory::count() const {
  const auto lent = lend();
  return static_cast<std::uint64_t>(lent->run("select present from users_state").number(0, 0));
}

std::uint64_t PostgresUserDirectory::count_suspended() const {
  const auto lent = lend();
  return static_cast<std::uint64_t>(
      lent->run("select count(*) from users where suspended").number(0, 0));
}

// ---- due cards

std::vector<PendingCard> PostgresUserDirectory::due_cards(std::uint32_t limit) const {
  const auto lent = lend();
  const Result rows = lent->run("select due, number from due_cards order by due limit $1::int8",
                                Params().int8(limit));
  std::vector<PendingCard> cards;
  for (int row = 0; row < rows.rows(); ++row) {
    cards.push_back({static_cast<std::uint64_t>(rows.number(row, 0)), number_at(rows, row, 1)});
  }
  return cards;
}

bool PostgresUserDirectory::is_card_due(UserNumber user) const {
  const auto lent = lend();
  return !lent->run("select 1 from due_cards where number = $1::int8", Params().int8(user.value))
              .empty();
}

void PostgresUserDirectory::settle_cards(std::span<const PendingCard> settled) {
  if (settled.empty()) return;
  Array dues(Type::kInt8);
  for (const PendingCard& card : settled) dues.number(static_cast<std::int64_t>(card.due));
  const auto lent = lend();
  (void)lent->run("delete from due_cards where due = any($1::int8[])", Params().add(dues));
}

// ---- removals under way

// Locks the user's row, so this waits for uploads that are being kept.
void PostgresUserDirectory::set_leaving(UserNumber number, bool leaving) {
  const auto lent = lend();
  UsersTransaction transaction(connections_, *lent);
  const Result changed = leaving ? lent->run(
                                       "insert into leaving (number) select number from users "
                                       "where number = $1::int8 for update on conflict do nothing",
                                       Params().int8(number.value))
                                 : lent->run("delete from leaving where number = $1::int8",
                                             Params().int8(number.value));
  transaction.commit(changed.changed() == 1 ? UsersTransaction::Change::kMoved
                                            : UsersTransaction::Change::kNone);
}

std::vector<UserNumber> PostgresUserDirectory::removals() const {
  const auto lent = lend();
  const Result rows = lent->run("select number from leaving order by number");
  std::vector<UserNumber> numbers;
  for (int row = 0; row < rows.rows(); ++row) numbers.push_back(number_at(rows, row, 0));
  return numbers;
}

// ---- the database

std::optional<std::uint64_t> PostgresUserDirectory::version() const {
  return version_ ? version_() : std::nullopt;
}

std::uint64_t PostgresUserDirectory::users_version() const {
  const auto lent = lend();
  const Result version = lent->run(kUsersVersion);
  return users_version_of(connections_, static_cast<std::uint64_t>(version.number(0, 0)));
}

UserNumber PostgresUserDirectory::last_number() const {
  const auto lent = lend();
  return number_at(lent->run("select last_number from users_state"), 0, 0);
}

void PostgresUserDirectory::hold() {
  held_.emplace(connections_);
  (*held_)->begin_reading();
  (void)(*held_)->run("select 1");  // the first statement fixes the state
}

}  // namespace chirp::postgres
