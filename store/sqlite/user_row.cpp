#include "store/sqlite/user_row.h"

#include <cstdint>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/error.h"
#include "store/sqlite/errors.h"
#include "store/users/stored_user.h"

namespace chirp::sqlite {
namespace {

enum Column : int {
  kNumber,
  kId,
  kUsername,
  kEmail,
  kDisplayName,
  kBio,
  kCreatedAt,
  kSource,
  kWord,
  kNameOrigin,
  kHasPassword,
  kPicture,
  kSuspended,
  kOldName,
  kOldNameUntil,
};

constexpr std::string_view kColumns =
    "u.number, u.id, u.username, u.email, u.display_name, u.bio, u.created_at, u.source_id, "
    "u.source_word, u.name_origin, u.password IS NOT NULL, u.picture, u.suspended, "
    "u.old_name, u.old_name_until";

template <class... Values>
std::optional<User> one_user(Connection& connection, const std::string& sql,
                             const Values&... values) {
  Rows rows = connection.rows(sql, values...);
  if (!rows.next()) return std::nullopt;
  return user_of(connection, rows);
}

}  // namespace

std::string select_users(std::string_view rest) {
  return fmt::format("SELECT {} FROM users u {}", kColumns, rest);
}

User user_of(const Connection& connection, const Rows& rows) {
  const auto optional_integer = [&](Column column) {
    return rows.is_null(column) ? std::nullopt : std::optional(rows.integer(column));
  };
  users::StoredUser row;
  row.number = rows.integer(kNumber);
  row.id = rows.integer(kId);
  row.username = rows.text(kUsername);
  row.email = rows.optional_text(kEmail);
  row.display_name = rows.optional_text(kDisplayName);
  row.bio = rows.text(kBio);
  row.created_at = rows.integer(kCreatedAt);
  row.source_id = optional_integer(kSource);
  row.source_word = rows.optional_text(kWord);
  row.name_origin = rows.integer(kNameOrigin);
  row.has_password = rows.integer(kHasPassword) != 0;
  row.picture = optional_integer(kPicture);
  row.suspended = rows.integer(kSuspended) != 0;
  row.old_name = rows.optional_text(kOldName);
  if (row.old_name) row.old_name_until = rows.integer(kOldNameUntil);
  const std::string fault = users::fault_of(row);
  if (!fault.empty()) throw corrupt(fault, connection.file());
  return users::user_of(std::move(row));
}

bool insert_loaded(Connection& connection, std::span<User> users) {
  check(users.size() == kLoadedAtOnce, "a statement for many rows takes all of them");
  static const std::string sql = [] {
    std::string text =
        "INSERT INTO users (id, username, display_name, bio, created_at, source_id, "
        "source_word, name_origin) "
        "VALUES ";
    for (std::size_t i = 0; i < kLoadedAtOnce; ++i) {
      text += i == 0 ? "(?, ?, ?, ?, ?, ?, ?, ?)" : ", (?, ?, ?, ?, ?, ?, ?, ?)";
    }
    return text;
  }();
  {
    Rows rows = connection.rows(sql);
    for (const User& user : users) {
      rows.bind_more(user.id.value, user.username, users::stored_display_name(user), user.bio,
                     user.created_at.ms, users::stored_source_id(user),
                     users::stored_source_word(user), static_cast<std::int64_t>(user.name_origin));
    }
    if (!rows.run_unless_taken()) return false;
  }
  // Each row gets the number after the highest ever used.
  std::int64_t number = connection.last_row_number() - static_cast<std::int64_t>(users.size());
  for (User& user : users) user.number = UserNumber{static_cast<std::uint32_t>(++number)};
  return true;
}

std::optional<UserNumber> insert_user(Connection& connection, const User& user,
                                      const std::optional<std::string>& password_hash) {
  std::optional<std::string_view> old_name;
  std::optional<std::int64_t> old_name_until;
  if (user.old_name) {
    old_name = user.old_name->username;
    old_name_until = user.old_name->until.ms;
  }
  const bool inserted = connection.run_unless_taken(
      "INSERT INTO users (id, username, email, password, display_name, bio, created_at, source_id, "
      "source_word, name_origin, picture, suspended, old_name, old_name_until) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
      user.id.value, user.username, user.email, password_hash, users::stored_display_name(user),
      user.bio, user.created_at.ms, users::stored_source_id(user), users::stored_source_word(user),
      static_cast<std::int64_t>(user.name_origin), users::stored_picture(user),
      std::int64_t{user.suspended}, old_name, old_name_until);
  if (!inserted) return std::nullopt;
  return UserNumber{static_cast<std::uint32_t>(connection.last_row_number())};
}

std::optional<User> user_sought(Connection& connection, const SoughtUser& who) {
  static const std::string numbered = select_users("WHERE u.number = ?1");
  static const std::string with_id = select_users("WHERE u.id = ?1");
  static const std::string called = select_users("WHERE u.username = ?1");
  static const std::string formerly =
      select_users("WHERE u.old_name = ?1 AND u.old_name_until > ?2");
  static const std::string addressed = select_users("WHERE u.email = ?1");
  if (const auto* number = std::get_if<UserNumber>(&who)) {
    return one_user(connection, numbered, number->value);
  }
  if (const auto* id = std::get_if<UserId>(&who)) {
    if (!users::can_be_stored(id->value)) return std::nullopt;
    return one_user(connection, with_id, id->value);
  }
  if (const auto* named = std::get_if<NamedUser>(&who)) {
    return one_user(connection, called, named->username);
  }
  if (const auto* named = std::get_if<FormerlyNamedUser>(&who)) {
    return one_user(connection, formerly, named->username, named->now.ms);
  }
  return one_user(connection, addressed, std::get<AddressedUser>(who).email);
}

std::optional<User> user_with_source(Connection& connection, const SourceKey& source) {
  static const std::string numbers = select_users("WHERE u.source_id = ?1");
  static const std::string words = select_users("WHERE u.source_word = ?1");
  if (source.is_word()) return one_user(connection, words, source.word);
  if (!users::can_be_stored(source.number.value)) return std::nullopt;
  return one_user(connection, numbers, source.number.value);
}

}  // namespace chirp::sqlite
