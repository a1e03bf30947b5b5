#include "store/users/sql_user_table.h"

#include <fmt/format.h>

#include "core/model/names.h"
#include "store/secrets.h"
#include "store/users/user_row.h"

namespace chirp::users {

std::optional<User> SqlUserTable::look_up(const SoughtUser& who) {
  return user_sought(session_, who);
}

std::optional<User> SqlUserTable::sourced(const SourceKey& source) {
  return user_with_source(session_, source);
}

bool SqlUserTable::has_old_names(Time now) {
  const auto rows = session_.rows(
      "select 1 from users where old_name is not null and old_name_until > $1::int8 limit 1",
      now.ms);
  return rows->next();
}

bool SqlUserTable::has_upload(UserNumber owner, MediaId upload) {
  if (!can_be_stored(upload.value)) return false;
  const std::string sql =
      fmt::format("select 1 from media where id = $2::int8 and owner = $1::int8{}",
                  session_.dialect().not_doomed);
  return session_.rows(sql, owner.value, upload.value)->next();
}

void SqlUserTable::replace(const User& /*before*/, const User& after) {
  const std::string sql = fmt::format(
      "update users set username = $2::text, email = $3::text, display_name = $4::text, "
      "bio = $5::text, name_origin = $6::int8, picture = $7::int8, suspended = ($8::int8 <> 0), "
      "old_name = $10::text, old_name_until = $11::int8{} where number = $1::int8",
      session_.dialect().set_searched);
  session_.send(sql, after.number.value, after.username, after.email, stored_display_name(after),
                after.bio, static_cast<std::int64_t>(after.name_origin), stored_picture(after),
                std::int64_t{after.suspended}, searched_text(after), stored_old_name(after),
                stored_old_name_until(after));
}

void SqlUserTable::free_old_name(std::string_view name) {
  session_.send(fmt::format("update users set old_name = null, old_name_until = null "
                            "where {}(old_name) = $1::text",
                            session_.dialect().lower),
                folded(name));
}

void SqlUserTable::set_password(UserNumber user, std::string_view hash) {
  session_.send("update users set password = $2::text where number = $1::int8", user.value, hash);
}

void SqlUserTable::forget_tokens(UserNumber user, std::string_view kept) {
  session_.send(delete_other_tokens(session_.dialect()), user.value, store::sha256(kept));
}

void SqlUserTable::erase(const User& user) {
  session_.send("delete from users where number = $1::int8", user.number.value);
}

void SqlUserTable::retire(UserId id) {
  session_.send("insert into retired_ids (id) values ($1::int8) on conflict do nothing", id.value);
}

std::string delete_other_tokens(const Dialect& dialect) {
  return fmt::format("delete from tokens where {} = $1::int8 and hash <> $2::text",
                     dialect.token_user);
}

}  // namespace chirp::users
