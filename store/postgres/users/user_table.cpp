#include "store/postgres/users/user_table.h"

#include <utility>

#include "store/postgres/users/session.h"
#include "store/users/user_row.h"

namespace chirp::postgres {
namespace {

std::int64_t stored(std::uint64_t id) { return static_cast<std::int64_t>(id); }

void add(Array& array, std::optional<std::string_view> text) {
  text ? array.raw(*text) : array.null();
}

void add(Array& array, std::optional<std::int64_t> number) {
  number ? array.number(*number) : array.null();
}

// Arrays of the columns of many users to insert.
class UserArrays {
 public:
  void add(const User& user) {
    ids_.number(stored(user.id.value));
    times_.number(user.created_at.ms);
    postgres::add(sources_, users::stored_source_id(user));
    postgres::add(pictures_, users::stored_picture(user));
    postgres::add(untils_, users::stored_old_name_until(user));
    origins_.number(static_cast<std::int16_t>(user.name_origin));
    suspended_.number(static_cast<std::int16_t>(user.suspended));
    names_.raw(user.username);
    searched_.raw(users::searched_text(user));
    bios_.raw(user.bio);
    postgres::add(emails_, user.email);
    postgres::add(display_names_, users::stored_display_name(user));
    postgres::add(words_, users::stored_source_word(user));
    postgres::add(old_names_, users::stored_old_name(user));
  }
  void give(Params& params) const {
    for (const Array* array :
         {&ids_, &times_, &sources_, &pictures_, &untils_, &origins_, &suspended_, &names_,
          &searched_, &bios_, &emails_, &display_names_, &words_, &old_names_}) {
      params.add(*array);
    }
  }

 private:
  Array ids_{Type::kInt8};
  Array times_{Type::kInt8};
  Array sources_{Type::kInt8};
  Array pictures_{Type::kInt8};
  Array untils_{Type::kInt8};
  Array origins_{Type::kInt2};
  Array suspended_{Type::kInt2};
  Array names_{Type::kText};
  Array searched_{Type::kText};
  Array bios_{Type::kText};
  Array emails_{Type::kText};
  Array display_names_{Type::kText};
  Array words_{Type::kText};
  Array old_names_{Type::kText};
};

}  // namespace

PostgresUserTable::PostgresUserTable(PostgresSession& session, UsersState& state)
    : SqlUserTable(session), connection_(session.connection()), state_(state) {}

// ---- rows

std::optional<UserNumber> PostgresUserTable::insert(
    const User& user, const std::optional<std::string>& password_hash) {
  const std::int64_t inserted = session().change(
      "insert into users (number, id, username, email, password, display_name, bio, created_at, "
      "source_id, source_word, name_origin, picture, suspended, old_name, old_name_until, "
      "searched) "
      "values ($1::int8, $2::int8, $3::text, $4::text, $5::text, $6::text, $7::text, $8::int8, "
      "$9::int8, $10::text, $11::int8, $12::int8, $13::int8 <> 0, $14::text, $15::int8, "
      "$16::text) on conflict do nothing",
      state_.last_number + 1, user.id.value, user.username, user.email, password_hash,
      users::stored_display_name(user), user.bio, user.created_at.ms, users::stored_source_id(user),
      users::stored_source_word(user), static_cast<std::int64_t>(user.name_origin),
      users::stored_picture(user), std::int64_t{user.suspended}, users::stored_old_name(user),
      users::stored_old_name_until(user), users::searched_text(user));
  if (inserted == 0) return std::nullopt;
  ++state_.present;
  return UserNumber{static_cast<std::uint32_t>(++state_.last_number)};
}

bool PostgresUserTable::insert_many(std::span<User> users) {
  Params params;
  params.int8(state_.last_number);
  UserArrays columns;
  for (const User& user : users) columns.add(user);
  columns.give(params);
  connection_.send("savepoint many");
  const Result inserted = connection_.run(
      "insert into users (number, id, created_at, source_id, picture, old_name_until, name_origin, "
      "suspended, username, searched, bio, email, display_name, source_word, old_name) "
      "select $1::int8 + place, id, created_at, source, picture, until, origin, suspended <> 0, "
      "username, searched, bio, email, display_name, word, old_name from unnest($2::int8[], "
      "$3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int2[], $8::int2[], $9::text[], "
      "$10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[]) "
      "with ordinality as x(id, created_at, source, picture, until, origin, suspended, username, "
      "searched, bio, email, display_name, word, old_name, place) "
      "order by place on conflict do nothing",
      std::move(params));
  const auto size = static_cast<std::int64_t>(users.size());
  if (inserted.changed() != size) {
    connection_.send("rollback to savepoint many");
    return false;
  }
  connection_.send("release savepoint many");
  for (User& user : users) {
    user.number = UserNumber{static_cast<std::uint32_t>(++state_.last_number)};
  }
  state_.present += size;
  return true;
}

std::size_t PostgresUserTable::most_at_once() const {
  constexpr std::size_t kMost = 256;
  return kMost;
}

void PostgresUserTable::erase(const User& user) {
  SqlUserTable::erase(user);
  --state_.present;
}

std::uint64_t PostgresUserTable::note_due_card(UserNumber user) {
  session().send(
      "insert into due_cards (due, number) values ($1::int8, $2::int8) "
      "on conflict (number) do update set due = excluded.due",
      ++state_.last_due, user.value);
  return static_cast<std::uint64_t>(state_.last_due);
}

std::uint64_t PostgresUserTable::note_due_cards_from(UserNumber first) {
  state_.last_due += session().change(
      "insert into due_cards (due, number) "
      "select $1::int8 + row_number() over (order by number), number from users "
      "where number >= $2::int8 on conflict (number) do update set due = excluded.due",
      state_.last_due, first.value);
  return static_cast<std::uint64_t>(state_.last_due);
}

// ---- ids

std::uint64_t PostgresUserTable::last_id() { return static_cast<std::uint64_t>(state_.last_id); }

void PostgresUserTable::set_last_id(std::uint64_t id) { state_.last_id = stored(id); }

std::vector<std::uint64_t> PostgresUserTable::highest_loaded(std::span<const std::uint64_t> ticks) {
  Array lows(Type::kInt8);
  for (const std::uint64_t tick : ticks) {
    lows.number(stored(snowflake::make(tick, snowflake::kLoadMachine, 0)));
  }
  const Result rows = connection_.run(
      "select greatest((select max(id) from users where id between low and low + $2::int8), "
      "(select max(id) from retired_ids where id between low and low + $2::int8)) "
      "from unnest($1::int8[]) with ordinality as x(low, place) order by place",
      Params().add(lows).int8(stored(snowflake::kSequences - 1)));
  std::vector<std::uint64_t> highest;
  for (int row = 0; row < rows.rows(); ++row) {
    highest.push_back(static_cast<std::uint64_t>(rows.number(row, 0)));
  }
  return highest;
}

}  // namespace chirp::postgres
