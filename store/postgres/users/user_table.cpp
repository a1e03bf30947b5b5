#include "store/postgres/users/user_table.h"

#include <utility>

#include "core/model/names.h"
#include "store/postgres/users/tokens.h"
#include "store/postgres/users/user_row.h"
#include "store/users/match.h"
#include "store/users/stored_user.h"

namespace chirp::postgres {
namespace {

std::int64_t stored(std::uint64_t id) { return static_cast<std::int64_t>(id); }

std::optional<std::int64_t> old_name_until(const User& user) {
  return user.old_name ? std::optional(user.old_name->until.ms) : std::nullopt;
}

std::optional<std::string_view> old_name(const User& user) {
  return user.old_name ? std::optional<std::string_view>(user.old_name->username) : std::nullopt;
}

// Arrays of the columns of many users to insert.
class UserArrays {
 public:
  void add(const User& user) {
    ids_.number(stored(user.id.value));
    times_.number(user.created_at.ms);
    postgres::add(sources_, users::stored_source_id(user));
    postgres::add(pictures_, users::stored_picture(user));
    postgres::add(untils_, old_name_until(user));
    origins_.number(static_cast<std::int16_t>(user.name_origin));
    suspended_.number(static_cast<std::int16_t>(user.suspended));
    names_.raw(user.username);
    searched_.raw(users::searched_text(user));
    bios_.raw(user.bio);
    postgres::add(emails_, user.email);
    postgres::add(display_names_, users::stored_display_name(user));
    postgres::add(words_, users::stored_source_word(user));
    postgres::add(old_names_, old_name(user));
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

// Adds the columns that a replacement may change.
Params& add_row(Params& params, const User& user) {
  add(params, users::stored_picture(user));
  add(params, old_name_until(user));
  params.int2(static_cast<std::int16_t>(user.name_origin)).boolean(user.suspended);
  params.text(user.username).text(users::searched_text(user)).text(user.bio);
  add(params, user.email);
  add(params, users::stored_display_name(user));
  add(params, old_name(user));
  return params;
}

}  // namespace

std::optional<User> PostgresUserTable::look_up(const SoughtUser& who) {
  return user_sought(connection_, who);
}

std::optional<User> PostgresUserTable::sourced(const SourceKey& source) {
  return user_with_source(connection_, source);
}

bool PostgresUserTable::has_old_names(Time now) {
  const Result found = connection_.run(
      "select 1 from users where old_name is not null and old_name_until > $1::int8 limit 1",
      Params().int8(now.ms));
  return !found.empty();
}

bool PostgresUserTable::has_upload(UserNumber owner, MediaId upload) {
  if (!users::can_be_stored(upload.value)) return false;
  const Result found =
      connection_.run("select 1 from media where id = $2::int8 and owner = $1::int8",
                      Params().int8(owner.value).int8(stored(upload.value)));
  return !found.empty();
}

// ---- rows

std::optional<UserNumber> PostgresUserTable::insert(
    const User& user, const std::optional<std::string>& password_hash) {
  Params params;
  params.int8(state_.last_number + 1).int8(stored(user.id.value)).int8(user.created_at.ms);
  add(params, users::stored_source_id(user));
  add(params, users::stored_source_word(user));
  add(params, password_hash);
  const Result inserted = connection_.run(
      "insert into users (number, id, created_at, source_id, source_word, password, picture, "
      "old_name_until, name_origin, suspended, username, searched, bio, email, display_name, "
      "old_name) values ($1::int8, $2::int8, $3::int8, $4::int8, $5::text, $6::text, $7::int8, "
      "$8::int8, $9::int2, $10::boolean, $11::text, $12::text, $13::text, $14::text, $15::text, "
      "$16::text) on conflict do nothing",
      std::move(add_row(params, user)));
  if (inserted.changed() == 0) return std::nullopt;
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

void PostgresUserTable::replace(const User& /*before*/, const User& after) {
  Params params;
  params.int8(after.number.value);
  connection_.send(
      "update users set picture = $2::int8, old_name_until = $3::int8, name_origin = $4::int2, "
      "suspended = $5::boolean, username = $6::text, searched = $7::text, bio = $8::text, "
      "email = $9::text, display_name = $10::text, old_name = $11::text where number = $1::int8",
      std::move(add_row(params, after)));
}

void PostgresUserTable::free_old_name(std::string_view name) {
  connection_.send(
      "update users set old_name = null, old_name_until = null where lower(old_name) = $1::text",
      Params().text(folded(name)));
}

void PostgresUserTable::set_password(UserNumber user, std::string_view hash) {
  connection_.send("update users set password = $2::text where number = $1::int8",
                   Params().int8(user.value).text(hash));
}

void PostgresUserTable::forget_tokens(UserNumber user, std::string_view kept) {
  send_forget_tokens(connection_, user, kept);
}

void PostgresUserTable::erase(const User& user) {
  connection_.send("delete from users where number = $1::int8", Params().int8(user.number.value));
  --state_.present;
}

std::uint64_t PostgresUserTable::note_due_card(UserNumber user) {
  connection_.send(
      "insert into due_cards (due, number) values ($1::int8, $2::int8) "
      "on conflict (number) do update set due = excluded.due",
      Params().int8(++state_.last_due).int8(user.value));
  return static_cast<std::uint64_t>(state_.last_due);
}

std::uint64_t PostgresUserTable::note_due_cards_from(UserNumber first) {
  const Result noted = connection_.run(
      "insert into due_cards (due, number) "
      "select $1::int8 + row_number() over (order by number), number from users "
      "where number >= $2::int8 on conflict (number) do update set due = excluded.due",
      Params().int8(state_.last_due).int8(first.value));
  state_.last_due += noted.changed();
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

void PostgresUserTable::retire(UserId id) {
  connection_.send("insert into retired_ids (id) values ($1::int8) on conflict do nothing",
                   Params().int8(stored(id.value)));
}

}  // namespace chirp::postgres
